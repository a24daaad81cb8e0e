/** What the page asks the service, and with which key. */

export const $ = (id) => document.getElementById(id);

export const state = {
  key: sessionStorage.getItem("key"), name: null, span: "minutes", board: null, tried: null,
  version: null,
};

export async function ask(method, path, body) {
  const options = { method, headers: { Authorization: `Bearer ${state.key}` } };
  if (body !== undefined) options.body = JSON.stringify(body);
  const answer = await fetch(path, options);
  const data = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(data.error.message), { status: answer.status });
  return data;
}

/** Return the path of experiments, of one, or of something in it. */
export const at = (...parts) => ["/v1/experiments", ...parts.map(encodeURIComponent)].join("/");
export const here = (...parts) => at(state.name, ...parts);

export function complain(error) {
  $("trouble").hidden = !error;
  $("trouble").textContent = error ? `${error.message || error}` : "";
}

export async function attempt(action) {
  try {
    await action();
    complain(null);
  } catch (error) {
    complain(error);
  }
}
