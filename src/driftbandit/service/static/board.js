/** The dashboard: asks for news every second, and draws what it gets. */

import { bars, curves, element, stacked, when } from "/charts.js";
import { $, ask, at, attempt, complain, here, state } from "/service.js";
import { armsOf, historyOf, tilesOf } from "/words.js";
import { listen, tried } from "/actions.js";

const EVERY = 1000; // milliseconds between looks

function duration(seconds) {
  for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) {
    if (seconds >= size) return `${seconds / size} ${unit}`;
  }
  return `${seconds} s`;
}

function drawCharts(board) {
  const marks = board.found.map(({ at, arm }) => (
    { at, text: `A change found at a reward of ${arm}, ${when(at, 2)}` }));
  const frame = (id) => (
    { starts: board.starts, width: board.width, to: board.now, marks, pixels: $(id).clientWidth });
  const show = (id, chart) => $(id).replaceChildren(chart);
  const rates = board.arms.map(({ rate, low, high }) => ({ values: rate, low, high }));
  show("shares", stacked(frame("shares"), board.arms.map((line) => line.share),
    "Shares of decisions over time, one area per arm"));
  show("rates", curves(frame("rates"), rates, "Reward per decision of each arm over time"));
  const ages = board.pending.map(({ below, count }) => (
    { name: below ? duration(below) : "more", count }));
  show("pending", bars($("pending").clientWidth, ages, "Pending rewards by age"));
  if (board.remembered.some((plays) => plays !== null)) {
    const rows = [{ values: board.remembered }];
    show("memory", curves(frame("memory"), rows, "Plays that the policy remembers", true));
  } else {
    const text = board.starts.length > 1 ? "This policy does not count plays." : "Nothing yet.";
    show("memory", element("p", { class: "hint" }, text));
  }
}

function draw() {
  const board = state.board, one = board.experiment, running = one.status === "running";
  const mode = running && one.mode !== "live" ? one.mode : one.status;
  $("status").textContent = mode;
  $("status").className = `pill ${mode}`;
  $("alerts").replaceChildren(...board.alerts.map(
    (line) => element("p", {}, line[0].toUpperCase() + line.slice(1))));
  $("pause").textContent = one.mode !== "live" && running ? "Back to live" : one.status === "paused" ? "Resume" : "Pause";
  for (const id of ["add", "pause", "kill"]) $(id).disabled = one.status === "archived";
  $("decide").disabled = !running;
  for (const button of document.querySelectorAll("[data-span]")) {
    button.setAttribute("aria-pressed", button.dataset.span === state.span);
  }
  $("recent").replaceChildren(...board.recent.map(
    (each) => element("option", { value: each.id }, `${each.arm}, ${when(each.at, 2)}`)));
  $("tiles").replaceChildren(...tilesOf(board));
  $("arms").replaceChildren(...armsOf(board));
  drawCharts(board);
}

function choose(names) {
  if (!names.includes(state.name)) state.name = names[0] || null;
  for (const id of ["experiment", "status", "board"]) $(id).hidden = !names.length;
  if ([...$("experiment").options].map((each) => each.value).join() !== names.join()) {
    $("experiment").replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  }
  if (names.length) $("experiment").value = state.name;
}

async function look() {
  const { experiments } = await ask("GET", at());
  $("enter").hidden = true;
  for (const id of ["new", "leave"]) $(id).hidden = false;
  choose(experiments.map((each) => each.name));
  if (!state.name) return complain("There is no experiment yet: create one.");
  const asked = state.name, board = await ask("GET", here("board", state.span));
  if (asked !== state.name) return; // another one was chosen meanwhile
  state.board = board;
  draw();
  const version = `${state.name} ${board.experiment.version} ${board.found.length}`;
  if (state.version !== version) {
    const { events } = await ask("GET", here("history"));
    $("history").replaceChildren(...historyOf(events, board.found));
    state.version = version;
  }
  complain(null);
}

async function follow() {
  if (state.key && !document.hidden) {
    try {
      await look();
    } catch (error) {
      complain(error.status ? error : "The service does not answer; trying again.");
      if (error.status === 401) leave();
    }
  }
  setTimeout(follow, EVERY);
}

function leave() {
  sessionStorage.removeItem("key");
  Object.assign(state, { key: null, name: null, board: null, version: null });
  $("enter").hidden = false;
  for (const id of ["board", "new", "leave", "experiment", "status"]) $(id).hidden = true;
}

$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  state.key = $("key").value.trim();
  sessionStorage.setItem("key", state.key);
  $("key").value = "";
  look().catch((error) => { complain(error); leave(); });
});
$("leave").addEventListener("click", leave);
$("experiment").addEventListener("change", () => {
  state.name = $("experiment").value;
  tried(null);
  $("why").replaceChildren();
  attempt(look);
});
$("spans").addEventListener("click", (event) => {
  if (!event.target.dataset.span) return;
  state.span = event.target.dataset.span;
  attempt(look);
});
window.addEventListener("resize", () => { if (state.board) draw(); });

listen(look);
tried(null);
follow();
