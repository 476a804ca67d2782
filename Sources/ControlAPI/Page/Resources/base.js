// What every part of the page uses: elements, amounts, and how it talks to linkcond.

export const $ = (id) => document.getElementById(id);

export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

export const drawn = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// Changes a text only if it is another one: a screen reader repeats what is written anew.
export const say = (place, words) => { if (place.textContent !== words) place.textContent = words; };

// What is shown: the name of a proxy, its latest sample, all proxies.
export const view = { shown: "default", latest: null, proxies: [] };
export const proxy = () => view.proxies.find((one) => one.name === view.shown);
export const ofShown = (path) => `${path}${path.includes("?") ? "&" : "?"}proxy=${view.shown}`;

// Amounts

const scaled = (value, units, base) => {
  let place = 0;
  while (value >= base && place < units.length - 1) { value /= base; place += 1; }
  const digits = place === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[place]}`;
};
export const bytes = (count) => scaled(count, ["B", "kB", "MB", "GB", "TB"], 1000);
export const rate = (perSecond) => scaled(perSecond * 8, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"], 1000);
export const span = (milliseconds) => milliseconds < 1000
  ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 2 : 1)} s`;
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// Talking to linkcond

export class Refused extends Error {}

export async function call(method, path, body) {
  const options = { method, headers: {}, credentials: "same-origin" };
  if (body !== undefined || method === "POST") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  const response = await fetch(path, options);
  if (response.status === 204) return null;
  const text = await response.text();
  let value = null;
  try { value = JSON.parse(text); } catch { value = null; }
  if (response.ok) return value ?? text;
  const details = (value?.errors ?? []).map((e) => `${e.message}${e.suggestion ? `; did you mean ${e.suggestion}?` : ""}`);
  const error = new Refused(details.join("; ") || (value?.detail ?? value?.title ?? `status ${response.status}`));
  error.status = response.status;
  throw error;
}

// Does something, and says beside the actions if it could not be done.
export async function attempt(work) {
  try {
    say($("answer"), "");
    $("answer").className = "";
    await work();
  } catch (error) {
    $("answer").className = "problem";
    say($("answer"), error instanceof Refused ? error.message : "linkcond does not answer; has it ended?");
  }
}
