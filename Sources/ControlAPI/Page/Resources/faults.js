// Faults: a form that writes one, the text beside it that fills the form, a picture of the place, and what
// fired.

import { $, attempt, call, drawn, element, ofShown, plural, say, view } from "./base.js";
import { goTo } from "./ladder.js";

// Where faults of a kind can be, and what can happen there. `at` is what the place's number counts.
const byteEffects = ["rst", "fin", "stall(5s)", "hole", "slow(64kbit/s)", "corrupt"];
const endEffects = ["rst", "fin", "stall(5s)", "hole"];
const kinds = {
  connection: {
    who: "c1", words: "c1 the first, c* every one, c*/3 every third, c*?10% one in ten",
    places: {
      "down+": { words: "after bytes to the client", at: "100000", effects: byteEffects },
      "up+": { words: "after bytes to the server", at: "1000", effects: byteEffects },
      connect: { words: "instead of opening it", effects: ["refuse", "silent", "down(2s)"] },
    },
  },
  request: {
    who: "GET(/*)#1", words: "GET(/x)#1 the first of its kind, c1/r2 the second request on c1",
    places: {
      "resp.body+": { words: "after bytes of the response's content", at: "50000", effects: [...byteEffects, "truncate"] },
      "resp.head": { words: "after the response's head", effects: [...endEffects, "edit(x-cache=hit)"] },
      "resp.end": { words: "at the response's end", effects: endEffects },
      "req.head": { words: "after the request's head", effects: ["status(503,retry-after=4)", "early(413)", "inject(103)", ...endEffects] },
      "req.body+": { words: "after bytes of the request's content", at: "1000", effects: byteEffects },
      "req.end": { words: "at the request's end", effects: ["swallow", ...endEffects] },
      idle: { words: "once the connection waits", effects: ["fin", "rst", "rst-on-next"] },
    },
  },
  flow: {
    who: "u1", words: "u1 the first flow of datagrams, u* every one",
    places: {
      "down#": { words: "datagram to the client, by number", at: "3", effects: ["drop", "dup", "delay(50ms)", "reorder(3)", "corrupt", "hole(5s)"] },
      "up#": { words: "datagram to the server, by number", at: "3", effects: ["drop", "dup", "delay(50ms)", "reorder(3)", "corrupt", "rebind(port)"] },
    },
  },
};

// What the shape of a fault's text says; null for what the form has no fields for.
export function read(text) {
  const parts = /^([^:]+):([a-z.]+)([+#]?)([^=]*)=(.+)$/.exec(text.trim());
  if (!parts) return null;
  const [, who, word, sign, number, effect] = parts;
  const kind = /^u/.test(who) && !who.includes("(") ? "flow" : /^c[^/]*(\/[0-9]+)?$/.test(who) ? "connection" : "request";
  const place = word + sign;
  const known = kinds[kind].places[place];
  if (!known || (known.at ? !number : number)) return null;
  return { kind, who, place, number, effect };
}

const form = () => ({ kind: $("fault-kind").value, who: $("fault-who").value.trim(), place: $("fault-place").value, number: $("fault-number").value.trim(), effect: $("fault-effect").value.trim() });

const options = (place, list) => place.replaceChildren(...list.map(([value, words]) => element("option", { value }, words)));

function offerPlaces(kind) {
  options($("fault-place"), Object.entries(kinds[kind].places).map(([place, { words }]) => [place, words]));
  say($("fault-who-help"), kinds[kind].words);
}

function offerEffects(kind, place) {
  const { at, effects } = kinds[kind].places[place];
  options($("fault-effects"), effects.map((effect) => [effect, effect]));
  $("fault-number").disabled = !at;
  return { at, effects };
}

// Another kind or place: its fields get what fits.
function turn(isOtherKind) {
  const kind = $("fault-kind").value;
  if (isOtherKind) { offerPlaces(kind); $("fault-who").value = kinds[kind].who; }
  const { at, effects } = offerEffects(kind, $("fault-place").value);
  $("fault-number").value = at ?? "";
  if (!effects.includes($("fault-effect").value)) [$("fault-effect").value] = effects;
  write();
}

function write() {
  const { who, place, number, effect } = form();
  $("fault").value = `${who}:${place}${$("fault-number").disabled ? "" : number}=${effect}`;
  picture(form());
}

function take() {
  const known = read($("fault").value);
  if (known) {
    $("fault-kind").value = known.kind;
    offerPlaces(known.kind);
    $("fault-place").value = known.place;
    offerEffects(known.kind, known.place);
    $("fault-who").value = known.who;
    $("fault-number").value = known.number;
    $("fault-effect").value = known.effect;
  }
  picture(known);
}

// The picture: who is on which side, what passes in order, and where it breaks.

const label = (x, y, words, kind = "p-text", anchor = "middle") => {
  const text = drawn("text", { x, y, class: kind, "text-anchor": anchor });
  text.textContent = words;
  return text;
};

const strips = {
  connection: ["connect", "bytes of the connection, both heads included"],
  request: ["req.head", "req.body", "resp.head", "resp.body", "idle"],
  flow: ["1", "2", "3", "4", "…"],
};
const stripWords = { "req.head": "request", "req.body": "content", "resp.head": "response", "resp.body": "content", idle: "idle", connect: "connect" };

function spot(known) {
  const base = known.place.replace(/[+#]$/, "");
  if (known.kind === "connection") return base === "connect" ? 30 : 300;
  if (known.kind === "flow") return 60 + 100 * Math.min(4, Math.max(0, (Number.parseInt(known.number, 10) || 5) - 1));
  const cells = strips.request;
  const width = 480 / cells.length;
  if (base === "req.end") return 20 + width * 2;
  if (base === "resp.end") return 20 + width * 4;
  return 20 + width * (cells.indexOf(base) + (known.place.endsWith("+") ? 0.5 : base === "idle" ? 0.5 : 1));
}

function picture(known) {
  const svg = $("fault-picture");
  svg.replaceChildren();
  if (!known) {
    say($("fault-words"), $("fault").value.trim() ? "Written by hand: the form has no fields for this; linkcond checks it when you add it." : "");
    svg.hidden = true;
    svg.setAttribute("hidden", "");
    return;
  }
  svg.removeAttribute("hidden");
  const cells = strips[known.kind];
  const widths = known.kind === "connection" ? [60, 420] : cells.map(() => 480 / cells.length);
  let x = 20;
  cells.forEach((cell, index) => {
    const isUp = cell.startsWith("req") || known.place.startsWith("up");
    svg.append(drawn("rect", { x, y: 30, width: widths[index] - 3, height: 26, rx: 3, class: cell === "idle" || cell === "connect" ? "p-idle" : isUp ? "p-up" : "p-down" }));
    svg.append(label(x + widths[index] / 2 - 2, 47, stripWords[cell] ?? cell));
    x += widths[index];
  });
  const at = spot(known);
  svg.append(drawn("path", { d: `M${at} 20V66`, class: "p-line" }), drawn("path", { d: `M${at - 5} 10l10 10m0 -10l-10 10`, class: "s-cut" }));
  const number = /^\d+$/.test(known.number) ? Number(known.number).toLocaleString("en") : known.number;
  const where = `${kinds[known.kind].places[known.place].words}${known.number ? `: ${number}` : ""}`;
  svg.append(label(at, 80, `${known.number ? `${number} · ` : ""}${known.effect}`, "p-bad", at > 380 ? "end" : at < 120 ? "start" : "middle"));
  say($("fault-words"), `${known.effect} on ${known.who}, ${where}`);
  svg.setAttribute("aria-label", $("fault-words").textContent);
}

// Adding, and the list

let added = async () => {};

// `again()` asks for the state after a change.
export function connect(again) {
  added = again;
  $("fault-form").onsubmit = add;
  $("fault").oninput = take;
  $("fault-kind").onchange = () => turn(true);
  $("fault-place").onchange = () => turn(false);
  for (const name of ["fault-who", "fault-number", "fault-effect"]) $(name).oninput = write;
  turn(true);
}

async function add(event) {
  event.preventDefault();
  say($("fault-problem"), "");
  try {
    const { fault, armedOn } = await call("POST", "/v1/faults", { fault: $("fault").value.trim(), proxy: view.shown });
    say($("fault-told"), `Added ${fault}${armedOn.length ? `, armed on ${plural(armedOn.length, "open connection")}` : ""}`);
    await askFaults();
    await added();
  } catch (error) {
    say($("fault-problem"), error.message);
  }
}

// Of each fault, the latest places where it fired: {connection, request}.
const firings = new Map();
const firingLimit = 20;

export function noteFiring(id, connection, request) {
  const list = firings.get(id) ?? [];
  list.push({ connection, request });
  if (list.length > firingLimit) list.shift();
  firings.set(id, list);
}

export const forget = () => firings.clear();

function links(fault) {
  return (firings.get(fault.fault) ?? []).slice(-4).map(({ connection, request }) => {
    const name = `${connection}${request ? `/r${request}` : ""}`;
    const button = element("button", { class: "link", title: "Show where", "aria-label": `${name}: show where` }, name);
    button.onclick = () => { if (!goTo(connection, request)) say($("fault-told"), `${name} is not among what is shown.`); };
    return button;
  });
}

let latest = [];
let hasEnded = false;

// The run is over: what is armed still stays so.
export function end() {
  hasEnded = true;
  list();
}

export async function askFaults() {
  const name = view.shown;
  const { faults } = await call("GET", ofShown("/v1/faults"));
  if (name !== view.shown) return;
  latest = faults;
  list();
}

const neverReached = ["armed", "unreached"];

function wordsOf(fault) {
  if (fault.state === "fired") return `fired ${fault.fired}×`;
  return hasEnded && neverReached.includes(fault.state) ? "never reached" : fault.state;
}

function list() {
  const faults = latest;
  const rows = faults.map((fault) => {
    const remove = element("button", { "aria-label": `remove ${fault.fault}` }, "remove");
    remove.onclick = () => attempt(async () => { await call("DELETE", `/v1/faults/${fault.id}`); await askFaults(); await added(); });
    remove.disabled = hasEnded;
    const state = wordsOf(fault);
    return element("tr", {}, element("td", { class: "mono" }, fault.fault),
      element("td", { class: fault.state === "fired" ? "fired" : "dim", title: fault.reason ?? "" }, state, " ", ...links(fault)),
      element("td", {}, ...(fault.state === "removed" ? [] : [remove])));
  });
  $("faults").tBodies[0].replaceChildren(...rows);
  const count = (...states) => faults.filter((fault) => states.includes(fault.state)).length;
  const unreached = hasEnded ? count(...neverReached) : count("unreached");
  const words = [hasEnded ? "" : `${count("armed")} waiting`, unreached || hasEnded ? `${unreached} ${hasEnded ? "never reached" : "unreached"}` : ""];
  say($("tile-faults-more"), words.filter(Boolean).join(", "));
}
