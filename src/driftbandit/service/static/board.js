"use strict";

const EVERY = 1000; // milliseconds between looks
const HEIGHT = { tall: 210, low: 130 };
const EDGE = { left: 44, right: 8, top: 12, bottom: 20 };
const COLOURS = 8;

const $ = (id) => document.getElementById(id);
const state = { key: sessionStorage.getItem("key"), name: null, span: "minutes", board: null, tried: null, version: null };

// ---------------------------------------------------------------- elements and numbers

function element(name, attributes = {}, ...children) {
  const drawn = ["svg", "g", "path", "line", "text", "rect", "title"].includes(name);
  const made = drawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const percent = (x) => (x === null ? "–" : `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`);
const number = (x) => (x === null || x === undefined ? "–" : Number(x.toPrecision(3)).toLocaleString("en"));
const whole = (x) => x.toLocaleString("en");
const signed = (x) => (x < 0 ? "−" : "+") + number(Math.abs(x));
const rate = (x) => (x === null ? "–" : x.toFixed(3));

function when(at, width) {
  const date = new Date(1000 * at);
  const day = { month: "short", day: "numeric" }, hour = { hour: "2-digit", minute: "2-digit", hour12: false };
  if (width >= 14400) return date.toLocaleDateString("en", day);
  return date.toLocaleTimeString("en", width < 30 ? { ...hour, second: "2-digit" } : hour);
}

function duration(seconds) {
  for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) if (seconds >= size) return `${seconds / size} ${unit}`;
  return `${seconds} s`;
}

// ---------------------------------------------------------------- the service

async function ask(method, path, body) {
  const options = { method, headers: { Authorization: `Bearer ${state.key}` } };
  if (body !== undefined) options.body = JSON.stringify(body);
  const answer = await fetch(path, options);
  const data = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(data.error.message), { status: answer.status });
  return data;
}

const at = (...parts) => ["/v1/experiments", ...parts.map(encodeURIComponent)].join("/");
const here = (...parts) => at(state.name, ...parts);

function complain(error) {
  $("trouble").hidden = !error;
  $("trouble").textContent = error ? `${error.message || error}` : "";
}

async function attempt(action) {
  try {
    await action();
    complain(null);
  } catch (error) {
    complain(error);
  }
}

// ---------------------------------------------------------------- charts

class Chart {
  constructor(id, board, top, label, low = false) {
    this.box = $(id);
    this.width = Math.max(this.box.clientWidth, 240);
    this.height = low ? HEIGHT.low : HEIGHT.tall;
    this.board = board;
    this.top = top;
    const starts = board.starts;
    this.to = board.now;
    this.from = starts.length ? Math.min(starts[0], this.to - 10 * board.width) : this.to - 60;
    this.svg = element("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": label });
  }

  x(time) {
    const share = Math.min(Math.max((time - this.from) / (this.to - this.from), 0), 1);
    return EDGE.left + share * (this.width - EDGE.left - EDGE.right);
  }

  y(value) {
    const room = this.height - EDGE.top - EDGE.bottom;
    return EDGE.top + room * (1 - Math.min(Math.max(value / this.top, 0), 1));
  }

  axes(format) {
    for (const part of [0, 0.5, 1]) {
      const y = this.y(part * this.top);
      this.svg.append(
        element("line", { class: "grid", x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y }),
        element("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, format(part * this.top)));
    }
    const many = this.width > 420 ? 4 : 2;
    for (let tick = 0; tick <= many; tick++) {
      const time = this.from + (tick / many) * (this.to - this.from);
      const anchor = tick === 0 ? "start" : tick === many ? "end" : "middle";
      this.svg.append(element("text", { x: this.x(time), y: this.height - 4, "text-anchor": anchor }, when(time, this.board.width)));
    }
  }

  /** Runs of bins where all of these values are there. */
  runs(...rows) {
    const found = [];
    let run = [];
    this.board.starts.forEach((start, place) => {
      const whole = rows.every((row) => row[place] !== null);
      const gap = run.length && start - this.board.starts[run[run.length - 1]] > 5.5 * this.board.width;
      if ((!whole || gap) && run.length) { found.push(run); run = []; }
      if (whole) run.push(place);
    });
    if (run.length) found.push(run);
    return found;
  }

  /** The bins of a run end where the next one begins; the last one ends now. */
  time(place) { return Math.min(this.board.starts[place] + this.board.width, this.to); }

  points(run, row) { return run.map((place) => `${this.x(this.time(place)).toFixed(1)} ${this.y(row[place]).toFixed(1)}`); }

  area(low, high, kind) {
    for (const run of this.runs(low, high)) {
      const path = `M${this.points(run, high).join("L")}L${this.points(run, low).reverse().join("L")}Z`;
      this.svg.append(element("path", { class: kind, d: path }));
    }
  }

  curve(row, kind) {
    for (const run of this.runs(row)) this.svg.append(element("path", { class: `curve ${kind}`, d: `M${this.points(run, row).join("L")}` }));
  }

  marks() {
    for (const found of this.board.found) {
      if (found.at < this.from) continue;
      const x = this.x(found.at), text = `A change found at a reward of ${found.arm}, ${when(found.at, 2)}`;
      this.svg.append(element("g", { class: "found" }, element("title", {}, text),
        element("line", { class: "mark", x1: x, x2: x, y1: EDGE.top, y2: this.height - EDGE.bottom }),
        element("path", { class: "flag", d: `M${x - 5} ${EDGE.top - 9}H${x + 5}L${x} ${EDGE.top}Z` })));
    }
  }

  show() { this.box.replaceChildren(this.svg); }
}

function drawShares(board) {
  const chart = new Chart("shares", board, 1, "Shares of decisions over time, one area per arm");
  chart.axes((x) => `${100 * x} %`);
  let floor = board.starts.map(() => 0);
  board.arms.forEach((line, place) => {
    const low = floor;
    const high = line.share.map((share, bin) => (share === null ? null : low[bin] + share));
    chart.area(high.map((top, bin) => (top === null ? null : low[bin])), high, `area f${place % COLOURS}`);
    floor = high.map((top) => top ?? 0);
  });
  chart.marks();
  chart.show();
}

function drawRates(board) {
  const peak = Math.max(...board.arms.flatMap((line) => line.rate), 0);
  const chart = new Chart("rates", board, nice(1.25 * peak) || 1, "Reward per decision of each arm over time");
  chart.axes(number);
  board.arms.forEach((line, place) => chart.area(line.low, line.high, `band f${place % COLOURS}`));
  board.arms.forEach((line, place) => chart.curve(line.rate, `s${place % COLOURS}`));
  chart.marks();
  chart.show();
}

function drawMemory(board) {
  const known = board.remembered.filter((plays) => plays !== null);
  if (!known.length) {
    $("memory").replaceChildren(element("p", { class: "hint" }, board.starts.length > 1 ? "This policy does not count plays." : "Nothing yet."));
    return;
  }
  const chart = new Chart("memory", board, nice(1.1 * Math.max(...known)) || 1, "Plays that the policy remembers", true);
  chart.axes(number);
  chart.curve(board.remembered, "s0");
  chart.marks();
  chart.show();
}

function drawPending(board) {
  const chart = new Chart("pending", board, nice(Math.max(...board.pending.map((age) => age.count))) || 1, "Pending rewards by age", true);
  const room = chart.width - EDGE.left - EDGE.right, step = room / board.pending.length;
  for (const part of [0, 1]) {
    const y = chart.y(part * chart.top);
    chart.svg.append(
      element("line", { class: "grid", x1: EDGE.left, x2: chart.width - EDGE.right, y1: y, y2: y }),
      element("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, number(part * chart.top)));
  }
  board.pending.forEach((age, place) => {
    const x = EDGE.left + place * step, y = chart.y(age.count);
    chart.svg.append(
      element("rect", { class: "area f0", x: x + 0.15 * step, y, width: 0.7 * step, height: chart.y(0) - y }),
      element("text", { x: x + step / 2, y: y - 3, "text-anchor": "middle" }, age.count ? whole(age.count) : ""),
      element("text", { x: x + step / 2, y: chart.height - 4, "text-anchor": "middle" }, age.below ? duration(age.below) : "more"));
  });
  chart.show();
}

function nice(x) {
  if (!(x > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= x * (1 - 1e-9)) * unit;
}

// ---------------------------------------------------------------- tables and words

function row(cells, kind = "td") { return element("tr", {}, ...cells.map((cell) => element(kind, {}, cell))); }

function drawArms(board) {
  const rows = board.arms.map((line, place) => {
    const made = row(["", percent(line.probability), whole(line.decisions), whole(line.rewards), rate(line.mean)]);
    made.firstChild.append(element("i", { class: `dot b${place % COLOURS}` }), line.arm);
    if (line.arm === board.experiment.default_arm) made.firstChild.append(" (default)");
    return made;
  });
  $("arms").replaceChildren(row(["Arm", "Served now", "Decisions", "Rewards", "Reward per decision"], "th"), ...rows);
}

function tile(value, label) { return element("div", { class: "tile" }, element("b", {}, value), element("span", {}, label)); }

function drawTiles(board) {
  const one = board.experiment, worth = board.worth;
  const tiles = [tile(whole(one.decisions), "decisions"), tile(whole(one.rewards), "rewards"), tile(whole(one.pending), "pending"), tile(one.label, `policy, floor ${percent(one.floor)}`)];
  if (worth) tiles.push(tile(signed(worth.difference), `per decision against the holdout; 95 %: ${signed(worth.low)} to ${signed(worth.high)}`));
  else tiles.push(tile("–", one.holdout ? "against the holdout: from 100 rewards on" : "no holdout to compare with"));
  $("tiles").replaceChildren(...tiles);
}

function describe(event) {
  const config = event.config || {};
  const policy = config.policy ? config.policy.name || config.policy.label || config.policy.kind : "";
  const shares = Object.entries(config.shares || {}).map(([arm, { least = 0, most = 1 }]) => `${arm} ${percent(least)} to ${percent(most)}`);
  const terms = [
    `policy ${policy}`, `floor ${percent(config.floor || 0)}`, config.holdout && `holdout ${percent(config.holdout)}`,
    shares.length && `shares ${shares.join(", ")}`, config.mode === "shadow" && `in the shadow of ${config.default_arm}`,
  ].filter(Boolean).join(", ");
  if (event.kind === "Created") return `Created with ${event.arms.join(", ")}: ${terms}`;
  if (event.kind === "Changed") return config.mode === "killed" ? `Kill switch: everything falls on ${config.default_arm}` : `Changed: ${terms}`;
  if (event.kind === "Turned") return `${{ running: "Resumed", paused: "Paused", archived: "Archived" }[event.status]}${event.reason ? `: ${event.reason}` : ""}`;
  if (event.kind === "ArmAdded") return `Arm ${event.arm} added`;
  if (event.kind === "ArmRetired") return `Arm ${event.arm} retired`;
  return event.kind;
}

async function drawHistory() {
  const found = state.board.found.map((each) => ({ at: each.at, position: each.position, text: `Change found at a reward of ${each.arm}` }));
  const { events } = await ask("GET", here("history"));
  const all = [...events.map((each) => ({ ...each, text: describe(each.event) })), ...found].sort((a, b) => b.position - a.position);
  $("history").replaceChildren(...all.map((each) => element("li", {},
    element("time", {}, new Date(1000 * each.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium", hour12: false })),
    element("span", {}, each.text))));
}

async function explain(id) {
  const why = await ask("GET", here("decisions", id));
  const chosen = why.decision.arm;
  const names = ["mean", "count", "index", "weight", "score", "pending"].filter((name) => Object.values(why.knowledge).some((known) => known[name] !== undefined));
  const rows = Object.entries(why.knowledge).map(([arm, known]) => {
    const made = row([arm, percent(known.probability), percent(known.policy_probability), ...names.map((name) => number(known[name]))]);
    if (arm === chosen) made.className = "chosen";
    return made;
  });
  const reward = why.settled ? (why.reward === null ? "closed without a reward" : `reward ${number(why.reward)}`) : "no reward yet";
  $("why").replaceChildren(
    element("p", {}, `${chosen}, with probability ${percent(why.decision.probability)}, chosen by ${why.by === "kill switch" ? "the kill switch" : `the ${why.by}`.replace("the shares", "its shares")}; ${reward}. `
      + `The number ${why.u.toFixed(4)} draws ${why.redrawn} from what was known then:`),
    element("table", {}, row(["Arm", "Served", "Policy alone", ...names], "th"), ...rows));
}

// ---------------------------------------------------------------- what is shown

function draw() {
  const board = state.board, one = board.experiment;
  const mode = one.status === "running" && one.mode !== "live" ? one.mode : one.status;
  $("status").textContent = mode;
  $("status").className = `pill ${mode}`;
  $("alerts").replaceChildren(...board.alerts.map((line) => element("p", {}, line[0].toUpperCase() + line.slice(1))));
  $("pause").textContent = one.mode !== "live" && one.status === "running" ? "Back to live" : one.status === "paused" ? "Resume" : "Pause";
  for (const id of ["add", "pause", "kill", "decide"]) $(id).disabled = one.status === "archived";
  for (const button of document.querySelectorAll("[data-span]")) button.setAttribute("aria-pressed", button.dataset.span === state.span);
  $("recent").replaceChildren(...board.recent.map((each) => element("option", { value: each.id }, `${each.arm}, ${when(each.at, 2)}`)));
  drawTiles(board);
  drawArms(board);
  drawShares(board);
  drawRates(board);
  drawMemory(board);
  drawPending(board);
}

async function look() {
  const { experiments } = await ask("GET", at());
  const names = experiments.map((each) => each.name);
  if (!names.includes(state.name)) state.name = names[0] || null;
  $("enter").hidden = true;
  for (const id of ["new", "leave"]) $(id).hidden = false;
  for (const id of ["experiment", "status", "board"]) $(id).hidden = !names.length;
  if ([...$("experiment").options].map((each) => each.value).join() !== names.join()) {
    $("experiment").replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  }
  if (!names.length) return complain("There is no experiment yet: create one.");
  $("experiment").value = state.name;
  state.board = await ask("GET", here("board", state.span));
  draw();
  const version = `${state.name} ${state.board.experiment.version} ${state.board.found.length}`;
  if (state.version !== version) {
    await drawHistory();
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

// ---------------------------------------------------------------- what can be done

$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  state.key = $("key").value.trim();
  sessionStorage.setItem("key", state.key);
  $("key").value = "";
  look().catch((error) => { complain(error); leave(); });
});

$("leave").addEventListener("click", leave);
$("experiment").addEventListener("change", () => { state.name = $("experiment").value; tried(null); $("why").replaceChildren(); attempt(look); });
$("spans").addEventListener("click", (event) => { if (event.target.dataset.span) { state.span = event.target.dataset.span; attempt(look); } });
window.addEventListener("resize", () => { if (state.board) draw(); });

function dialog(id, opener, prepare, send) {
  const box = $(id), form = box.querySelector("form"), said = box.querySelector(".said");
  $(opener).addEventListener("click", () => { form.reset(); said.textContent = ""; prepare(form); box.showModal(); });
  box.querySelector("[data-close]").addEventListener("click", () => box.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send(Object.fromEntries(new FormData(form)));
      box.close();
      await look();
    } catch (error) {
      said.textContent = error.message;
    }
  });
}

dialog("creating", "new", () => {}, async (asked) => {
  const arms = asked.arms.split("\n").map((arm) => arm.trim()).filter(Boolean);
  const body = { name: asked.name, arms, policy: { name: asked.policy }, floor: Number(asked.floor), holdout: Number(asked.holdout) };
  await ask("POST", at(), body);
  state.name = asked.name;
  tried(null);
});
dialog("adding", "add", () => {}, (asked) => ask("POST", here("arms"), asked));
dialog("killing", "kill", (form) => {
  const one = state.board.experiment;
  form.arm.replaceChildren(...one.arms.map((arm) => element("option", { value: arm }, arm)));
  form.arm.value = one.default_arm || one.arms[0];
}, (asked) => ask("POST", here("kill"), asked));

$("pause").addEventListener("click", () => attempt(async () => {
  const one = state.board.experiment;
  if (one.status === "paused") await ask("POST", here("resume"));
  else if (one.mode !== "live") await ask("PATCH", here(), { mode: "live" });
  else await ask("POST", here("pause"));
  await look();
}));

function tried(decision) {
  state.tried = decision;
  $("good").disabled = $("bad").disabled = !decision;
  $("tried").textContent = decision ? `${decision.arm}, with probability ${percent(decision.probability)}` : "A decision made here counts like any other.";
}

$("decide").addEventListener("click", () => attempt(async () => {
  tried(await ask("POST", here("decide"), {}));
  await look();
}));

for (const [id, reward] of [["good", 1], ["bad", 0]]) {
  $(id).addEventListener("click", () => attempt(async () => {
    const { arm } = state.tried;
    await ask("POST", here("reward"), { id: state.tried.id, reward });
    tried(null);
    $("tried").textContent = `${arm} got ${reward}`;
    await look();
  }));
}

$("ask").addEventListener("submit", (event) => { event.preventDefault(); attempt(() => explain($("id").value.trim())); });
$("last").addEventListener("click", () => attempt(async () => {
  const [last] = state.board.recent;
  if (!last) throw new Error("There is no decision lately.");
  $("id").value = last.id;
  await explain(last.id);
}));

tried(null);
follow();
