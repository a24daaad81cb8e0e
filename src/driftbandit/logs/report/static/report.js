/** The report of a log: draws its charts from the data in the page, and lets one look closer. */

import { COLOURS, curves, element, number, stacked, when } from "/charts.js";

const DAY = 86400;
const MOST_BANDS = 3;
const data = JSON.parse(document.getElementById("data").textContent);
const reward = (x) => (x === null ? "–" : data.percent ? `${number(100 * x)} %` : number(x));
const share = (x) => (x === null ? "–" : `${number(100 * x)} %`);
const between = (low, high) => (low === null ? "" : ` (${reward(low)} to ${reward(high)})`);
const moment = (at) => `${when(at, DAY, "UTC")}${data.to - data.from < 20 * DAY ? `, ${when(at, 60, "UTC")}` : ""}`;

/** What a chart of these stretches of time covers. */
function frame(ends, box) {
  const starts = [data.from, ...ends.slice(0, -1)];
  const widths = ends.map((end, place) => end - starts[place]);
  const width = Math.max(Math.max(...widths), (data.to - data.from) / 300, 1e-3);
  return { starts, ends, width, to: data.to, marks: [], zone: "UTC", format: reward, pixels: box.clientWidth };
}

/** Values of shown lines at a stretch of time, as lines of text. */
function wordsOf(lines, ends, format) {
  return (place) => [
    `until ${moment(ends[place])}`,
    ...lines.filter((line) => line.shown && line.values[place] !== null)
      .map((line) => `${line.name}: ${format(line.values[place])}${line.low ? between(line.low[place], line.high[place]) : ""}`),
  ];
}

const hidden = (line) => line.values.map(() => null);

/** The lines as they are drawn: bands of many would hide each other. */
function visible(lines) {
  const banded = lines.filter((line) => line.shown).length <= MOST_BANDS;
  return lines.map((line) => ({ ...line, values: line.shown ? line.values : hidden(line), low: line.shown && banded && line.low }));
}

/** Where the axis begins: at 0, unless the lines lie close together far from it. */
function bottomOf(lines) {
  const known = lines.filter((line) => line.shown).flatMap((line) => [...line.values, ...(line.low || [])]).filter((x) => x !== null);
  const least = Math.min(...known), most = Math.max(...known);
  if (!known.length || least < 0.6 * most) return 0;
  const step = 10 ** Math.floor(Math.log10(Math.max(most - least, 1e-9)));
  return Math.max(Math.floor(least / step - 1) * step, 0);
}

/** Draw lines with a key whose buttons hide and show them. */
function drawLines(id, { ends, lines }, label, marks = []) {
  const box = document.getElementById(id);
  if (!box) return;
  const chart = element("div"), keys = element("ul", { class: "keys" });
  box.replaceChildren(chart, keys);
  const draw = () => {
    const shape = { ...frame(ends, box), marks, bottom: bottomOf(lines), most: data.most, words: wordsOf(lines, ends, reward) };
    chart.replaceChildren(curves(shape, visible(lines), label));
  };
  keys.append(...lines.map((line, place) => {
    line.shown = line.shown ?? true;
    const key = element("button", { "aria-pressed": line.shown }, element("i", { class: `dot b${place % COLOURS}` }), line.name);
    key.addEventListener("click", () => {
      line.shown = !line.shown;
      key.setAttribute("aria-pressed", line.shown);
      draw();
    });
    return element("li", {}, key);
  }));
  draw();
}

function drawShares(id, { ends, lines }) {
  const box = document.getElementById(id);
  if (!box) return;
  for (const line of lines) line.shown = true;
  const shape = { ...frame(ends, box), words: wordsOf(lines, ends, share) };
  const keys = lines.map((line, place) => element("li", {}, element("i", { class: `dot b${place % COLOURS}` }), line.name));
  box.replaceChildren(
    stacked(shape, lines.map((line) => line.values), "How often each option was played over time"),
    element("ul", { class: "keys" }, ...keys));
}

function draw() {
  drawLines("rates", data.rates, "What each option earned over time", data.marks);
  drawLines("courses", data.courses, "What each policy would have earned over time");
  drawShares("plays", data.plays);
}

let width = 0;
window.addEventListener("resize", () => {
  if (document.body.clientWidth !== width) draw();
  width = document.body.clientWidth;
});
draw();
