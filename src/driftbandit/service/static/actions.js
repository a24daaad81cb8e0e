/** What can be done on the page: create, add, pause, kill, decide, reward, ask why. */

import { element, percent } from "/charts.js";
import { $, ask, at, attempt, here, state } from "/service.js";
import { whyOf } from "/words.js";

const COUNTS = "A decision made here counts like any other.";

/** Show the decision that waits for its reward, or that there is none. */
export function tried(decision) {
  state.tried = decision;
  $("good").disabled = $("bad").disabled = !decision;
  $("tried").textContent = decision
    ? `${decision.arm}, with probability ${percent(decision.probability)}` : COUNTS;
}

/** Let a button open a dialog whose form is sent; what is refused is said in it. */
function dialog(id, opener, prepare, send, look) {
  const box = $(id), form = box.querySelector("form"), said = box.querySelector(".said");
  $(opener).addEventListener("click", () => {
    form.reset();
    said.textContent = "";
    prepare(form);
    box.showModal();
  });
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

async function create(asked) {
  const arms = asked.arms.split("\n").map((arm) => arm.trim()).filter(Boolean);
  const { name, floor, holdout } = asked, policy = { name: asked.policy };
  const body = { name, arms, policy, floor: Number(floor), holdout: Number(holdout) };
  if (asked.default_reward !== "") body.default_reward = Number(asked.default_reward);
  if (asked.reward_within !== "") body.reward_within = Number(asked.reward_within);
  await ask("POST", at(), body);
  state.name = name;
  tried(null);
}

function offerArms(form) {
  const one = state.board.experiment;
  form.arm.replaceChildren(...one.arms.map((arm) => element("option", { value: arm }, arm)));
  form.arm.value = one.default_arm || one.arms[0];
}

async function turn() {
  const one = state.board.experiment;
  if (one.status === "paused") await ask("POST", here("resume"));
  else if (one.mode !== "live") await ask("PATCH", here(), { mode: "live" });
  else await ask("POST", here("pause"));
}

async function give(reward) {
  const { arm, id } = state.tried;
  const receipt = await ask("POST", here("reward"), { id, reward });
  tried(null);
  $("tried").textContent = receipt.status === "late" ? `${arm} got ${reward}, too late to count` : `${arm} got ${reward}`;
}

async function explain(id) {
  $("why").replaceChildren(element("p", { class: "hint" }, "The log is folded up to there …"));
  try {
    $("why").replaceChildren(...whyOf(await ask("GET", here("decisions", id))));
  } catch (error) {
    $("why").replaceChildren();
    throw error;
  }
}

async function explainLast() {
  const [last] = state.board.recent;
  if (!last) throw new Error("There is no decision lately.");
  $("id").value = last.id;
  await explain(last.id);
}

/** Listen to buttons and forms; `look` shows what has changed. */
export function listen(look) {
  const click = (id, action) => $(id).addEventListener("click", () => attempt(async () => {
    await action();
    await look();
  }));
  dialog("creating", "new", () => {}, create, look);
  dialog("adding", "add", () => {}, (asked) => ask("POST", here("arms"), asked), look);
  dialog("killing", "kill", offerArms, (asked) => ask("POST", here("kill"), asked), look);
  click("pause", turn);
  click("decide", async () => tried(await ask("POST", here("decide"), {})));
  click("good", () => give(1));
  click("bad", () => give(0));
  click("last", explainLast);
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => explain($("id").value.trim()));
  });
}
