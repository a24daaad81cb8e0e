/** Tables and sentences: arms, changes, and why an arm was chosen. */

import { COLOURS, element, number, percent, whole } from "/charts.js";

const KNOWN = ["mean", "count", "index", "weight", "score", "pending"];
const STATUS = { running: "Resumed", paused: "Paused", archived: "Archived" };

const signed = (x) => (x < 0 ? "−" : "+") + number(Math.abs(x));

function row(cells, kind = "td") {
  return element("tr", {}, ...cells.map((cell) => element(kind, {}, cell)));
}

function tile(value, label) {
  return element("div", { class: "tile" }, element("b", {}, value), element("span", {}, label));
}

/** Return the rows of the table of arms. */
export function armsOf(board) {
  const rows = board.arms.map((line, place) => {
    const mean = line.mean === null ? "–" : line.mean.toFixed(3);
    const counts = [whole(line.decisions), whole(line.waiting)];
    const made = row(["", percent(line.probability), mean, ...counts]);
    made.firstChild.append(element("i", { class: `dot b${place % COLOURS}` }), line.arm);
    if (line.arm === board.experiment.default_arm) made.firstChild.append(" (default)");
    return made;
  });
  return [row(["Arm", "Served now", "Mean reward", "Decisions", "Pending"], "th"), ...rows];
}

/** Return the numbers at the top. */
export function tilesOf(board) {
  const one = board.experiment;
  return [
    tile(whole(one.decisions), "decisions"), tile(whole(one.rewards), "rewards"),
    tile(whole(one.pending), "pending"), tile(one.label, `policy, floor ${percent(one.floor)}`),
    board.worth ? worthOf(board.worth) : tile("–", worthless(one)),
  ];
}

function worthOf({ difference, low, high }) {
  const interval = `95 %: ${signed(low)} to ${signed(high)}`;
  return tile(signed(difference), `per decision against the holdout; ${interval}`);
}

function worthless(one) {
  if (!one.holdout) return "no holdout to compare with";
  if (one.mode === "killed") return "no holdout while the kill switch is on";
  return "against the holdout: from 100 ended decisions on";
}

/** Return the text of a change. */
export function describe(event) {
  const config = event.config || {};
  if (event.kind === "Created") return `Created with ${event.arms.join(", ")}: ${terms(config)}`;
  if (event.kind === "Changed" && config.mode === "killed") return `Kill switch: everything falls on ${config.default_arm}`;
  if (event.kind === "Changed") return `Changed: ${terms(config)}`;
  if (event.kind === "Turned") return `${STATUS[event.status]}${event.reason ? `: ${event.reason}` : ""}`;
  if (event.kind === "ArmAdded") return `Arm ${event.arm} added`;
  if (event.kind === "ArmRetired") return `Arm ${event.arm} retired`;
  return event.kind;
}

function terms(config) {
  const policy = config.policy.name || config.policy.label || config.policy.kind;
  const shares = Object.entries(config.shares || {}).map(
    ([arm, { least = 0, most = 1 }]) => `${arm} ${percent(least)} to ${percent(most)}`);
  return [
    `policy ${policy}`, `floor ${percent(config.floor || 0)}`,
    config.holdout && `holdout ${percent(config.holdout)}`,
    shares.length && `shares ${shares.join(", ")}`,
    config.mode === "shadow" && `in the shadow of ${config.default_arm}`,
  ].filter(Boolean).join(", ");
}

/** Return the list of changes, the last one first. */
export function historyOf(events, found) {
  const made = events.map((each) => ({ ...each, text: describe(each.event) }));
  const seen = found.map((each) => ({ ...each, text: `Change found at a reward of ${each.arm}` }));
  const style = { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" };
  return [...made, ...seen].sort((a, b) => b.position - a.position).map((each) => element("li", {},
    element("time", {}, new Date(1000 * each.at).toLocaleString("en", style)),
    element("span", {}, each.text)));
}

const BY = { "kill switch": "the kill switch", shares: "its shares" };

/** Return why a decision fell on its arm. */
export function whyOf(why) {
  const known = Object.values(why.knowledge);
  const names = KNOWN.filter((name) => known.some((each) => each[name] !== undefined));
  const rows = Object.entries(why.knowledge).map(([arm, each]) => {
    const chances = [percent(each.probability), percent(each.policy_probability)];
    const made = row([arm, ...chances, ...names.map((name) => number(each[name]))]);
    if (arm === why.decision.arm) made.className = "chosen";
    return made;
  });
  const end = why.reward === null ? "closed without a reward" : `reward ${number(why.reward)}`;
  const { arm, probability } = why.decision, by = BY[why.by] || `the ${why.by}`;
  const text = `${arm}, with probability ${percent(probability)}, chosen by ${by}; `
    + `${why.settled ? end : "no reward yet"}. `
    + `The number ${why.u.toFixed(4)} draws ${why.redrawn} from what was known then:`;
  const head = row(["Arm", "Served", "Policy alone", ...names], "th");
  return [element("p", {}, text), element("table", {}, head, ...rows)];
}
