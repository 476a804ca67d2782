// The network: a picker of profiles, and the values of the one that is imitated.

import { $, attempt, call, element, ofShown, proxy, say, view } from "./base.js";

// Profiles with groups and figures; fetched when the picker is first opened.
let cards = [];
let matches = [];
let selected = 0;
let refresh = async () => {};

// `again()` asks for the state after a change.
export function connect(again) {
  refresh = again;
  $("profile").onclick = open;
  $("picker-search").oninput = () => { selected = 0; list(); };
  $("picker-search").onkeydown = press;
  // A click beside the window leaves it as Escape does.
  $("picker").onclick = (event) => { if (event.target === $("picker")) $("picker").close(); };
  $("settings").onsubmit = (event) => { event.preventDefault(); apply(); };
}

export async function open() {
  if ($("picker").open) return;
  // At once, so that what is typed next is meant for it.
  $("picker").showModal();
  $("picker-handover").checked = false;
  $("picker-search").value = "";
  $("picker-search").focus();
  list();
  await attempt(async () => {
    cards = (await call("GET", ofShown("/v1/profiles?details=true"))).details;
    if (!$("picker-search").value) selected = Math.max(0, cards.findIndex((card) => card.name === proxy()?.profile));
    list();
  });
}

function press(event) {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
  if (step) {
    event.preventDefault();
    selected = Math.max(0, Math.min(matches.length - 1, selected + step));
    list();
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (matches[selected]) choose(matches[selected].name);
  }
}

function list() {
  const words = $("picker-search").value.trim().toLowerCase().split(/\s+/);
  matches = cards.filter((card) => {
    const text = `${card.name} ${card.group} ${card.summary} ${card.figures}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  let group = "";
  const rows = matches.flatMap((card, place) => {
    const head = card.group === group ? [] : [element("li", { role: "presentation", class: "group" }, card.group)];
    group = card.group;
    const isNow = card.name === proxy()?.profile;
    const row = element("li", { role: "option", id: `card-${place}`, "aria-selected": place === selected },
      element("b", {}, card.name), element("span", { class: "mono" }, card.figures), element("span", { class: "dim" }, `${isNow ? "now · " : ""}${card.summary}`));
    row.onclick = () => choose(card.name);
    return [...head, row];
  });
  $("picker-list").replaceChildren(...rows);
  say($("picker-told"), !cards.length ? "They are being read." : matches.length ? `${matches.length} of ${cards.length} profiles` : "None with this text.");
  const row = $(`card-${selected}`);
  if (row) {
    $("picker-search").setAttribute("aria-activedescendant", row.id);
    row.scrollIntoView({ block: "nearest" });
  } else $("picker-search").removeAttribute("aria-activedescendant");
}

function choose(name) {
  $("picker").close();
  const isHandover = $("picker-handover").checked;
  attempt(async () => {
    if (isHandover) await call("POST", "/v1/actions", { action: "handover", profile: name, proxy: view.shown });
    else await call("PATCH", `/v1/proxies/${view.shown}`, { profile: name });
    say($("answer"), isHandover ? `handover to ${name}` : `profile ${name}`);
    await refresh();
  });
}

// Values

// What a slider reaches, in the unit that the field is written in; the field itself takes more.
const sliders = {
  RATE: { least: 4, most: 9.5, step: 0.05, read: (text) => Math.log10(8 * ceiling(text)), write: (at) => `${rounded(10 ** at / 10 ** unitOf(at))}${["", "k", "M", "G"][unitOf(at) / 3]}bit/s` },
  TIME: { least: 0, most: 45, step: 0.5, read: (text) => Math.sqrt(milliseconds(text)), write: (at) => `${Math.round(at * at)}ms` },
  LOSS: { least: 0, most: 30, step: 0.5, read: (text) => text === "none" ? 0 : Number.parseFloat(text), write: (at) => `${at}%` },
};
const unitOf = (exponent) => Math.min(9, 3 * Math.floor(exponent / 3));
const rounded = (value) => Number(value.toPrecision(2));
const unitsOfTime = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3, min: 6e4, h: 3.6e6 };
function milliseconds(text) {
  const parts = /^([\d.]+)(ns|us|ms|s|min|h)$/.exec(text);
  return parts ? Number(parts[1]) * unitsOfTime[parts[2]] : NaN;
}

const unitsOfRate = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

// Bytes a second of "50Mbit/s"; no end for a rate that has none or comes from a trace.
export function ceiling(text) {
  const parts = /^([\d.]+)([kMGT]?)bit\/s$/.exec(text ?? "");
  return parts ? Number(parts[1]) * unitsOfRate[parts[2]] / 8 : Infinity;
}

// The physics of the link first; the rest is folded away.
const isFirst = (key) => /^((down|up)\.)?(rate|delay|jitter|loss|queue)$|^rtt$/.test(key);

function field(setting) {
  const { key, value, help, words, form } = setting;
  const about = element("small", { id: `help-${key}` }, help);
  const common = { name: key, "aria-describedby": about.id, "data-was": value ?? "" };
  if (words.join() === "yes,no") {
    const box = element("input", { ...common, type: "checkbox", role: "switch" });
    box.checked = value === "yes";
    return element("label", { class: "switch" }, box, key, about);
  }
  if (words.length) {
    const choice = element("select", common, ...words.map((word) => element("option", {}, word)));
    choice.value = value;
    if (value === null) choice.selectedIndex = -1;
    return element("label", {}, key, choice, about);
  }
  const input = element("input", { ...common, value: value ?? "", placeholder: form, spellcheck: "false", autocomplete: "off" });
  return element("label", {}, key, input, ...slider(key, input, value, form), about);
}

function slider(key, input, value, form) {
  const kind = sliders[/loss$/.test(key) ? "LOSS" : form];
  const at = kind && value ? kind.read(value) : NaN;
  if (!Number.isFinite(at)) return [];
  const range = element("input", { type: "range", min: kind.least, max: kind.most, step: kind.step, "aria-label": `${key}, by sight` });
  range.value = at;
  range.oninput = () => { input.value = kind.write(Number(range.value)); };
  input.oninput = () => { const now = kind.read(input.value); if (Number.isFinite(now)) range.value = now; };
  return [range];
}

const valueOf = (input) => input.type === "checkbox" ? (input.checked ? "yes" : "no") : input.value.trim();
const changed = () => [...$("settable").querySelectorAll("[name]")].filter((input) => valueOf(input) !== input.dataset.was && valueOf(input) !== "");

function apply() {
  const inputs = changed();
  if (!inputs.length) { say($("values-told"), "Nothing is changed."); return; }
  const settings = Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)]));
  call("PATCH", `/v1/proxies/${view.shown}`, { settings }).then(async () => {
    $("values-told").className = "dim";
    say($("values-told"), `Applied: ${Object.entries(settings).map((pair) => pair.join("=")).join(", ")}`);
    await refresh();
    await askProfile(true);
  }, (error) => {
    $("values-told").className = "problem";
    say($("values-told"), error.message);
  });
}

export async function askProfile(isForced = false) {
  const name = view.shown;
  const profile = await call("GET", ofShown("/v1/profiles/current"));
  if (name !== view.shown) return;
  // A summary may name its source by itself.
  const source = profile.summary?.replaceAll("'s ", " ").includes(profile.source) ? "" : profile.source;
  say($("profile-about"), [profile.summary, source].filter(Boolean).join(" · "));
  showFigures(Object.fromEntries(profile.settable.map((setting) => [setting.key, setting.value])));
  say($("profile-name"), profile.name);
  say($("profile-figures"), $("tile-figures").textContent);
  // Nobody loses what is being written.
  if (!isForced && (changed().length || $("settable").contains(document.activeElement))) return;
  const first = profile.settable.filter((setting) => isFirst(setting.key));
  const rest = profile.settable.filter((setting) => !isFirst(setting.key));
  $("settable").replaceChildren(element("div", { class: "grid" }, ...first.map(field)),
    element("details", {}, element("summary", {}, `${rest.length} more`), element("div", { class: "grid" }, ...rest.map(field))));
}

function showFigures(values) {
  const ceilings = [ceiling(values["down.rate"] ?? values.rate), ceiling(values["up.rate"] ?? values.rate)];
  const words = ceilings.map((value) => Number.isFinite(value) ? `${value * 8 / 1e6}` : "∞");
  const isLimited = ceilings.some(Number.isFinite);
  const isTrace = values.trace ?? values["down.trace"] ?? values["up.trace"];
  const rates = isTrace ? "by trace" : isLimited ? `${words.join("/")} Mbit/s` : "no limit";
  const further = values.rtt && values.rtt !== "0s" ? [values.rtt.replace(/(?<=\d)(?=[a-z])/, " ")] : [];
  say($("tile-figures"), [rates, ...further].join(", "));
  say($("tile-ceiling"), isLimited && !isTrace ? `of ${words[0]} down, ${words[1]} up Mbit/s` : "no ceiling");
}
