// The dashboard of a running linkcond: shows what /v1 tells, and does what its buttons say through /v1.

import { $, attempt, bytes, call, element, ofShown, plural, proxy, rate, say, span, view } from "./base.js";
import { Chart, History } from "./chart.js";
import * as faults from "./faults.js";
import * as ladder from "./ladder.js";
import * as network from "./network.js";

async function login() {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (token) {
    await call("POST", "/v1/login", { token });
    // Neither history nor a shared screen keeps the token.
    window.history.replaceState(null, "", location.pathname);
  }
}

// What is known

const own = "default";
let history = new History();
// Faults and actions since the run began; the oldest go first.
const marks = [];
const markLimit = 2000;
// What the records tell of the latest connections, by name.
const connections = new Map();
const connectionLimit = 4000;
const recordLimit = 300;
const wanted = new URLSearchParams(location.hash.slice(1)).get("proxy");
// The number of the first record that the history does not have.
let nextRecord = 0;
// The number of the latest record that was taken.
let lastRecord = 0;
let hasEnded = false;
// Records that came faster than they could be told.
let missed = 0;

function note(at, kind, words) {
  marks.push({ at, kind, words });
  if (marks.length > markLimit) marks.shift();
}

function takeSample(sample) {
  const before = view.latest ?? sample;
  view.latest = sample;
  history.take(sample);
  history.takeCeilings(sample.elapsedMilliseconds, sample.ceilingDown, sample.ceilingUp);
  showSample(sample, before);
}

const nameOf = (record) => ladder.nameOf(record.l ?? 1, record.u ? "u" : "c", record.u ?? record.c);
const ended = { fin: "closed normally", rst: "reset", hole: "silent", refused: "refused", timeout: "timed out", idle: "fell silent", shutdown: "ended with the run" };

function began(id, at) {
  connections.set(id, { id, began: at, requests: [], records: [], still: [] });
  if (connections.size > connectionLimit) connections.delete(connections.keys().next().value);
}

function takeEnd(id, at, record) {
  const by = record.by ?? record.by_approx;
  const how = record.how ?? record.how_approx;
  const words = by === "shutdown" ? ended.shutdown : by === "fault" ? `cut by a fault (${how})` : ended[how ?? record.cause] ?? how;
  const connection = connections.get(id);
  if (connection) {
    Object.assign(connection, {
      ended: at, bad: by === "fault" && !connection.byHand, how: connection.byHand ? `cut by hand (${how})` : words,
      up: record.up_bytes ?? record.up_bytes_approx ?? record.up?.bytes ?? connection.up,
      down: record.down_bytes ?? record.down_bytes_approx ?? record.down?.bytes ?? connection.down,
    });
  }
  return log(at, id, connection?.how ?? words);
}

function takeRecord(record) {
  const at = (record.at_ns ?? 0) / 1e6;
  const id = record.c || record.u ? nameOf(record) : "";
  if (record.t === "conn" || record.t === "flow") began(id, at);
  const connection = connections.get(id);
  if (connection && connection.records.length < recordLimit) connection.records.push(record);
  const request = connection?.requests[record.r - 1];
  switch (record.t) {
    case "conn": return log(at, id, "connected");
    case "flow": return log(at, id, "first datagram");
    case "quic":
      connection?.requests.push({ words: `QUIC ${record.version}`, at });
      return log(at, id, `QUIC ${record.version}`);
    case "req":
      connection?.requests.push({ words: `${record.method} ${record.target}`, at, sends: record.framing !== "none" });
      return log(at, id, `${record.method} ${record.target}`);
    case "resp":
      if (request) { request.status = record.status; request.answered = at; }
      return log(at, id, `status ${record.status}`);
    case "body":
      if (request && record.dir === "resp") { request.ended = at; request.cut = !record.complete; }
      if (request && record.dir === "req") Object.assign(request, { sentFrom: (record.first_ns ?? record.at_ns) / 1e6, sent: at, sentCut: !record.complete });
      return;
    case "connend": case "flowend": return takeEnd(id, at, record);
    case "fault":
      if (record.state !== "fired") return;
      // What somebody does by hand is told by its change.
      if (record.by_hand) return;
      noteMark(record);
      faults.noteFiring(record.id, id, record.r);
      soon(faults.askFaults);
      return log(at, id, `fault ${record.address} ${record.effect}`, "fault");
    case "change":
      if (record.action === "cut") for (const place of record.at_approx ?? []) cutByHand(nameOf(place), record.detail?.kind);
      noteMark(record);
      soon(askState);
      return log(at, "", changeWords(record), "action");
    case "note": return log(at, id, record.text, "note");
    case "upstream": return log(at, id, `upstream: ${record.error}`, "note");
    case "path": return soon(askState);
  }
}

// What says by itself what it is; other values follow their name.
const plain = ["name", "profile", "fault", "kind", "text", "for", "proxy", "connection", "settings", "faults"];
const changeWords = (record) => [record.action, ...Object.entries(record.detail ?? {}).map(([key, value]) => plain.includes(key) ? valueWords(value) : `${key} ${valueWords(value)}`)].join(" ");
function valueWords(value) {
  if (Array.isArray(value)) return value.map(valueWords).join(" ");
  if (typeof value !== "object") return value;
  return Object.entries(value ?? {}).map(([key, one]) => `${key} ${valueWords(one)}`).join(" ");
}

function cutByHand(id, kind) {
  const connection = connections.get(id);
  if (!connection) return;
  connection.byHand = true;
  if (connection.ended !== undefined) { connection.how = `cut by hand (${kind ?? "rst"})`; connection.bad = false; }
}

// What the server's history has is not marked twice.
function noteMark(record, isFromHistory = false) {
  if (!isFromHistory && record.n_approx < nextRecord) return;
  const at = (record.at_ns ?? 0) / 1e6;
  const words = record.t === "fault" ? `${record.c || record.u ? nameOf(record) : ""} ${record.address} ${record.effect}` : changeWords(record);
  note(at, record.t === "fault" ? "fault" : "action", words);
}

// Many records in a row ask once.
const asked = new Set();
function soon(work) {
  if (asked.has(work)) return;
  asked.add(work);
  setTimeout(() => { asked.delete(work); work().catch(() => {}); }, 150);
}

// What the proxy carried before this page was opened.
async function askHistory() {
  const name = view.shown;
  const known = await call("GET", ofShown("/v1/history"));
  if (name !== view.shown) return;
  history = new History();
  marks.length = 0;
  for (const point of known.points) history.take(Object.fromEntries(known.columns.map((column, place) => [column, point[place]])));
  for (const step of known.ceilings) history.takeCeilings(...step);
  nextRecord = known.nextRecord;
  for (const line of known.marks) noteMark(JSON.parse(line), true);
  // All at once: the stream is slow on purpose.
  const response = await fetch(ofShown("/v1/events"), { credentials: "same-origin" });
  const lines = response.ok ? (await response.text()).trim().split("\n").filter(Boolean) : [];
  if (name !== view.shown) return;
  lastRecord = 0;
  for (const line of lines) {
    const record = JSON.parse(line);
    lastRecord = record.n_approx;
    takeRecord(record);
  }
  showLog();
}

// The latest lines, newest first: those about faults, actions and trouble, and the rest.
const logLines = 6;
const told = { notable: [], common: [] };
let toldCount = 0;

function log(at, id, words, kind) {
  const list = kind ? told.notable : told.common;
  toldCount += 1;
  list.unshift({ order: toldCount, kind, words: `${span(at).padStart(8)}  ${id.padEnd(5)} ${words}` });
  if (list.length > logLines) list.pop();
}

// Half of the lines are kept for what is notable: much traffic does not push it out.
function showLog() {
  const notable = told.notable.slice(0, Math.max(logLines / 2, logLines - told.common.length));
  const lines = [...notable, ...told.common.slice(0, logLines - notable.length)].toSorted((a, b) => b.order - a.order);
  $("log").replaceChildren(...lines.map((line) => element("li", { class: line.kind }, line.words)));
}

function forgetLog() {
  told.notable.length = 0;
  told.common.length = 0;
  showLog();
}

// Some of what happened is not on this page: said for as long as it is so.
function miss(count) {
  missed += count;
  log(view.latest?.elapsedMilliseconds ?? 0, "", `too busy: ${plural(count, "record")} left out`, "note");
  showLog();
  showMissed();
}

const showMissed = () => say($("missed"), missed ? `${plural(missed, "record")} came faster than this page is told, and ${missed === 1 ? "is" : "are"} left out here; the journal has all.` : "");

// Which proxy

const seed = () => proxy()?.seed ?? "";

function takeProxies(list) {
  view.proxies = list;
  showProxies();
}

function chip(name) {
  const radio = element("input", { type: "radio", name: "proxy", value: name });
  radio.onchange = () => choose(name);
  return element("label", { class: "chip", "data-name": name }, radio, element("b", {}, name), element("span"));
}

function showProxies() {
  const list = $("proxy-list");
  const hadFocus = list.contains(document.activeElement);
  // Those that stay are changed in place: none loses the focus.
  const old = new Map([...list.children].map((label) => [label.dataset.name, label]));
  view.proxies.forEach((one, index) => {
    const label = old.get(one.name) ?? chip(one.name);
    old.delete(one.name);
    const trouble = one.conditions.outage ? "outage" : one.conditions.paused ? "paused" : one.enabled ? "" : "listens no more";
    const words = [one.profile, `${one.connections.open} open`, trouble].filter(Boolean).join(" · ");
    if (label.lastChild.textContent !== words) label.lastChild.textContent = words;
    label.lastChild.className = trouble ? "fail" : "dim";
    label.firstChild.checked = one.name === view.shown;
    if (list.children[index] !== label) list.insertBefore(label, list.children[index] ?? null);
  });
  for (const label of old.values()) label.remove();
  if (hadFocus && !list.contains(document.activeElement)) list.querySelector(":checked")?.focus();
  const isMany = view.proxies.length > 1;
  $("proxies").hidden = !isMany;
  document.body.classList.toggle("many", isMany);
  for (const place of document.querySelectorAll(".of")) place.textContent = `of ${view.shown}`;
  const routes = proxy()?.listeners ?? [];
  $("where").textContent = routes.map((l) => `${l.listen} → ${l.upstream}`).join(", ");
  for (const place of document.querySelectorAll(".address")) place.textContent = routes[0]?.listen ?? "";
  for (const place of document.querySelectorAll(".try-it")) place.hidden = !routes.length;
  for (const place of document.querySelectorAll(".try")) place.textContent = `curl -o file ${routes[0]?.listen ?? ""}/bytes/10000000`;
  document.title = `linkcond ${isMany ? `${view.shown} ` : ""}${routes[0]?.listen ?? ""}`;
}

// In a long list the choice is where it can be seen.
function reveal() {
  const list = $("proxy-list");
  const chip = list.querySelector(":checked")?.parentElement;
  if (!chip) return;
  const top = chip.offsetTop - list.offsetTop;
  const isSeen = top >= list.scrollTop && top + chip.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
}

// Reloaded, or sent to somebody, the page shows the same proxy.
function keepAddress() {
  window.history.replaceState(null, "", location.pathname + (view.shown === own ? "" : `#proxy=${view.shown}`));
}

async function choose(name, words = "") {
  // What the stream of the proxy before still tells would look like a new name of this one.
  stream?.close();
  view.shown = name;
  view.latest = null;
  history = new History();
  marks.length = 0;
  connections.clear();
  faults.forget();
  pick(null);
  $("connections").tBodies[0].replaceChildren();
  forgetLog();
  missed = 0;
  showMissed();
  say($("answer"), "");
  say($("fault-problem"), "");
  say($("proxy-told"), words);
  keepAddress();
  showProxies();
  reveal();
  await askHistory().catch(() => {});
  if (name !== view.shown) return;
  follow();
  askAll();
  draw();
}

const askAll = () => Promise.all([askState(), faults.askFaults(), poll()]).catch(() => {});

const chooseNext = () => {
  const place = view.proxies.findIndex((one) => one.name === view.shown);
  const next = view.proxies[(place + 1) % view.proxies.length];
  if (next && next.name !== view.shown) choose(next.name);
};

function renamed(name) {
  view.shown = name;
  keepAddress();
  askAll();
}

const fellBack = (name) => choose(own, `Proxy ${name} has ended; this is ${own}.`);

// The top

function tile(name, words, more) {
  say($(`tile-${name}`), words);
  if (more !== undefined) say($(`tile-${name}-more`), more);
}

// Lines break between the two, not within.
const both = (down, up) => `↓\u00a0${rate(down).replace(" ", "\u00a0")}  ↑\u00a0${rate(up).replace(" ", "\u00a0")}`;

function showSample(sample, before = sample) {
  const isIdle = !sample.openConnections && !sample.openFlows && sample.bytesDown === before.bytesDown && sample.bytesUp === before.bytesUp;
  const now = hasEnded || isIdle ? { down: 0, up: 0 } : history.recent;
  tile("profile", sample.profile);
  tile("rate", now ? both(now.down, now.up) : "–");
  tile("queue", bytes(sample.queuedBytesDown + sample.queuedBytesUp), `${bytes(sample.queuedBytesDown)} down, ${bytes(sample.queuedBytesUp)} up`);
  tile("open", `${sample.openConnections}${sample.openFlows ? ` + ${plural(sample.openFlows, "flow")}` : ""}`);
  tile("faults", `${sample.faultsFired}`);
  const all = sample.totalConnections + (sample.totalFlows ?? 0);
  say($("totals"), `${all} in all · ${bytes(sample.bytesDown)} down, ${bytes(sample.bytesUp)} up`);
  say($("state"), `${sample.profile} · seed ${seed()} · ${span(sample.elapsedMilliseconds)}`);
  if (hasEnded) badge("ended", "ended");
  else badge(sample.outage ? "outage" : sample.paused ? "paused" : "running", sample.outage || sample.paused ? "halted" : "running");
  press("pause", sample.paused);
  press("outage", sample.outage);
  const alarm = sample.outage ? "Outage: nothing passes, as in a tunnel."
    : sample.paused ? "Paused: nothing passes until you resume." : "";
  if (alarm !== ($("alarm").dataset.words ?? "")) {
    $("alarm").dataset.words = alarm;
    const button = element("button", {}, sample.outage ? "End it" : "Resume");
    button.onclick = () => act(sample.outage ? "outage" : "pause", true);
    $("alarm").replaceChildren(alarm, ...(alarm ? [button] : []));
    $("alarm").hidden = !alarm;
  }
}

function badge(words, state) {
  if ($("badge").textContent !== words) $("badge").textContent = words;
  $("badge").dataset.state = state;
}

function press(action, isOn) {
  document.querySelector(`[data-act=${action}]`).setAttribute("aria-pressed", Boolean(isOn));
}

// Actions

const orders = {
  cut: () => ({ action: "cut" }),
  pause: (row) => ({ action: (row ? row.state === "paused" : view.latest?.paused ?? proxy()?.conditions.paused) ? "resume" : "pause" }),
  stall: () => ({ action: "stall", for: "5s" }),
  refuse: () => ({ action: "refuse" }),
  outage: () => ({ action: view.latest?.outage ?? proxy()?.conditions.outage ? "restore" : "outage" }),
  handover: () => ({ action: "handover" }),
  mark: () => ({ action: "mark" }),
};
const ofConnections = ["cut", "pause", "stall"];
// Requests that one action makes at most.
const actionLimit = 200;

// What an action of connections is meant for: the chosen one, those of the filter, or null for all.
function targets() {
  if (picked) return [picked];
  if (!$("filter").value.trim()) return null;
  return [...live.values()].filter((row) => isShown(connections.get(row.id) ?? { id: row.id, requests: [] })).map((row) => row.id).slice(0, actionLimit);
}

function showTarget() {
  const list = targets();
  say($("target"), !list ? "on all connections" : picked ? `on ${picked}` : `on the ${list.length} open of the filter`);
  $("target-all").hidden = !list;
}

const act = (name, isForAll = false) => attempt(async () => {
  const list = ofConnections.includes(name) && !isForAll ? targets() : null;
  if (list && !list.length) { say($("answer"), `${name}: no open connection with this text`); return; }
  let count = 0;
  let done = "";
  for (const connection of list ?? [undefined]) {
    const answer = await call("POST", "/v1/actions", { ...orders[name](connection && live.get(connection)), connection, proxy: view.shown });
    count += answer.affected;
    done = answer.action;
  }
  const of = picked && list ? ` (${picked})` : "";
  say($("answer"), count ? `${done}: ${plural(count, "connection")}${of}` : list ? `${done}: nothing was changed${of}` : `${done}: done`);
  askState();
  poll();
});

// The chart

const chart = new Chart($("chart"), $("tip"));
// Seconds that are shown; 0 for all. Where the view ends, if it is held.
let shownSeconds = 120;
let heldAt = null;

function draw() {
  if (document.hidden) return;
  const to = heldAt ?? view.latest?.elapsedMilliseconds ?? 0;
  const from = shownSeconds ? Math.max(0, to - shownSeconds * 1000) : 0;
  chart.draw({ points: history.points, marks, ceilings: history.ceilings, from, to, rate, bytes });
  const now = history.last;
  if (now) $("chart").setAttribute("aria-label", `Now ${rate(now.down)} down, ${rate(now.up)} up; ${plural(marks.length, "mark")}, the latest listed below`);
}

function chooseSpan(button) {
  shownSeconds = Number(button.dataset.span);
  for (const one of document.querySelectorAll("[data-span]")) one.setAttribute("aria-pressed", one === button);
  draw();
}

function hold() {
  heldAt = heldAt === null ? view.latest?.elapsedMilliseconds ?? null : null;
  $("hold").setAttribute("aria-pressed", heldAt !== null);
  say($("held"), heldAt === null ? "" : `held at ${span(heldAt)}`);
  draw();
}

// Connections

const connectionRows = 40;
// Open connections by name, as of the last look.
let live = new Map();
// The name of the connection that actions are meant for.
let picked = null;
let order = { by: "began", isDown: true };
const amount = (count) => count === undefined ? "" : bytes(count);
const lastRequest = (row) => {
  const last = row.requests.at(-1);
  return last ? `${last.words}${last.status ? ` → ${last.status}` : ""}` : live.get(row.id)?.latestRequest ?? "";
};
const stateOf = (row) => live.get(row.id)?.state ?? row.how ?? "open";

function isShown(row) {
  const words = [row.id, stateOf(row), live.get(row.id)?.client, live.get(row.id)?.latestRequest, ...row.requests.map((request) => request.words)];
  return words.join(" ").toLowerCase().includes($("filter").value.trim().toLowerCase());
}

const sorts = {
  name: (row) => row.began, request: lastRequest, began: (row) => row.began, state: stateOf,
  up: (row) => live.get(row.id)?.bytesUp ?? row.up ?? 0, down: (row) => live.get(row.id)?.bytesDown ?? row.down ?? 0,
};

function sortBy(by) {
  order = { by, isDown: order.by === by ? !order.isDown : by === "up" || by === "down" };
  for (const head of document.querySelectorAll("[data-sort]")) {
    head.parentElement.setAttribute("aria-sort", head.dataset.sort !== by ? "none" : order.isDown ? "descending" : "ascending");
  }
  showConnections(true);
}

function pick(id) {
  picked = picked === id ? null : id;
  for (const row of $("connections").tBodies[0].rows) {
    row.setAttribute("aria-selected", row.dataset.id === picked);
    row.cells[0].firstChild.setAttribute("aria-pressed", row.dataset.id === picked);
  }
  showTarget();
}

function madeRow(id) {
  const button = element("button", { class: "pick", "aria-pressed": id === picked, title: "Let the actions act on this one alone" }, id);
  button.onclick = () => pick(id);
  return element("tr", { "data-id": id, "aria-selected": id === picked }, element("th", { scope: "row", class: "mono" }, button),
    element("td"), element("td", {}, element("div", { class: "bar" })), element("td", { class: "num" }), element("td", { class: "num" }), element("td"));
}

// What is left of a piece of time without those in which nothing moved.
const withoutStill = ([from, to, kind], still) => still.reduce(
  (parts, [begin, end]) => parts.flatMap((part) => end <= part[0] || begin >= part[1] ? [part] : [[part[0], begin], [end, part[1]]].filter(([a, b]) => b > a)),
  [[from, to]],
).map((part) => [...part, kind]);

// When content moved, and how it ended: [from, to, kind].
function contentTimes(row, end) {
  const pieces = row.requests.slice(-20).flatMap((one) => [
    ...(one.sends ? [[one.sentFrom ?? one.at, one.sent ?? end, one.sentCut ? "bad" : ""]] : []),
    ...(one.answered ? [[one.answered, one.ended ?? end, one.cut ? "bad" : ""]] : []),
  ]);
  return pieces.flatMap((piece) => withoutStill(piece, row.still));
}

// Two looks with the same bytes: nothing moved between them.
const stillLimit = 50;
function noteStill(row, open) {
  const look = { at: row.began + open.ageMilliseconds, moved: open.bytesUp + open.bytesDown };
  const before = row.look;
  row.look = look;
  if (!before || before.moved !== look.moved) return;
  const last = row.still.at(-1);
  if (last?.[1] === before.at) last[1] = look.at;
  else row.still.push([before.at, look.at]);
  if (row.still.length > stillLimit) row.still.shift();
}

function fillRow(tr, row, begin, whole, now) {
  const open = live.get(row.id);
  if (open) { row.up = open.bytesUp; row.down = open.bytesDown; }
  const [, request, time, up, down, state] = tr.cells;
  say(request, lastRequest(row));
  const end = row.ended ?? now;
  const pieces = [[row.began, end, "wait"], ...contentTimes(row, end)];
  const looks = pieces.map(([from, to, kind]) => `${(100 * (from - begin) / whole).toFixed(1)} ${Math.max(0.5, 100 * (to - from) / whole).toFixed(1)} ${kind}`);
  if (tr.dataset.looks !== looks.join()) {
    tr.dataset.looks = looks.join();
    time.firstChild.replaceChildren(...looks.map((look) => {
      const [from, width, kind] = look.split(" ");
      const part = element("i", { class: kind });
      part.style.left = `${from}%`;
      part.style.width = `${width}%`;
      return part;
    }));
  }
  say(up, amount(row.up));
  say(down, amount(row.down));
  say(state, stateOf(row));
  state.className = row.bad ? "fail" : open && open.state !== "open" ? "fired" : "";
}

function showConnections(isSorted = false) {
  const now = view.latest?.elapsedMilliseconds ?? 0;
  for (const open of live.values()) {
    if (!connections.has(open.id) && connections.size < connectionLimit) began(open.id, now - (open.ageMilliseconds ?? 0));
  }
  const all = [...connections.values()].filter(isShown);
  const key = sorts[order.by];
  const sign = order.isDown ? -1 : 1;
  const compare = (a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0);
  // Unless a column is chosen, those that are open come first.
  const rank = (row) => (order.by === "began" && row.ended !== undefined ? 1 : 0);
  const rows = all.toSorted((a, b) => rank(a) - rank(b) || compare(a, b)).slice(0, connectionRows);
  const rest = all.length - rows.length;
  say($("connections-more"), rest > 0 ? `${rest} more; a filter finds them.` : all.length ? "" : $("filter").value.trim() ? "None with this text." : "None yet.");
  const begin = Math.min(...rows.map((row) => row.began), now);
  const whole = Math.max(1, now - begin);
  say($("axis"), rows.length ? `${span(begin)} to ${span(now)}` : "");
  const body = $("connections").tBodies[0];
  const old = new Map([...body.rows].map((tr) => [tr.dataset.id, tr]));
  // Nothing moves under a finger, unless someone asked for another order.
  const isHeld = !isSorted && (body.matches(":hover") || body.contains(document.activeElement));
  rows.forEach((row, place) => {
    const tr = old.get(row.id) ?? madeRow(row.id);
    const isNew = !old.delete(row.id);
    fillRow(tr, row, begin, whole, now);
    if (isHeld) { if (isNew) body.append(tr); } else if (body.rows[place] !== tr) body.insertBefore(tr, body.rows[place] ?? null);
  });
  for (const [id, tr] of old) if (!isHeld || id !== picked) tr.remove();
  // What has ended is nothing to act on.
  if (picked && connections.get(picked)?.ended !== undefined) pick(null);
  showTarget();
}

// Up and down among the connections.
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest("tr");
  const next = step && [...$("connections").tBodies[0].rows][row.sectionRowIndex + step];
  if (!next) return;
  event.preventDefault();
  next.cells[0].firstChild.focus();
}

// The records of an attempt, for its messages.
function recordsOf(attempt) {
  const records = connections.get(ladder.nameOf(attempt.listener, "c", attempt.connection))?.records ?? [];
  return attempt.request ? records.filter((record) => record.r === attempt.request || (record.r === undefined && record.t !== "conn")) : records;
}

// Bytes of a connection that are not content of the attempt under way on it: heads, and earlier content.
// Null where that is not known: some records are gone, or streams share the connection.
function carriedBeside(attempt) {
  const records = connections.get(ladder.nameOf(attempt.listener, "c", attempt.connection))?.records ?? [];
  const isKnown = records[0]?.t === "conn" && records.length < recordLimit && !records.some((record) => record.http === "2");
  if (!isKnown) return attempt.request === 1 ? { up: 0, down: 0 } : null;
  const sum = (head, side) => records.reduce((all, { t, dir, head_bytes: inHead, bytes: exact, bytes_approx: about }) => all
    + (t === head ? inHead : t === "body" && dir === side ? exact ?? about : 0), 0);
  return { up: sum("req", "req"), down: sum("resp", "resp") };
}

// The session

let schedule = null;

async function askState() {
  const name = view.shown;
  const [list, recorded] = await Promise.all([call("GET", "/v1/proxies"), call("GET", ofShown("/v1/schedule"))]);
  if (name !== view.shown) return;
  takeProxies(list.proxies);
  schedule = recorded;
  say($("schedule"), recorded.schedule);
  $("remarks").replaceChildren(...[...recorded.differences, ...recorded.remarks].map((text) => element("li", {}, text)));
  await network.askProfile();
}

const copy = (text, button) => attempt(async () => {
  await navigator.clipboard.writeText(text);
  const words = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = words; }, 1500);
});

const command = () => schedule?.command ?? "";

async function saveJournal() {
  const response = await fetch("/v1/events", { credentials: "same-origin" });
  const link = element("a", { href: URL.createObjectURL(await response.blob()), download: "linkcond.jsonl" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Beginning

const keys = { c: "cut", " ": "pause", s: "stall", r: "refuse", o: "outage", h: "handover", m: "mark" };

const isTyping = (event) => event.target.closest("input:not([type=radio], [type=checkbox], [type=range]), select, textarea");

function hit(name) {
  if (keys[name]) act(keys[name]);
  else if (name === "p") network.open();
  else if (name === "f") $("fault").focus();
  else if (name === "/") $("filter").focus();
  else if (name === "x") chooseNext();
  else if (name === "?") $("help").showModal();
  else return false;
  return true;
}

function listen() {
  for (const button of document.querySelectorAll("[data-act]")) button.onclick = () => act(button.dataset.act);
  $("copy-command").onclick = (event) => copy(command(), event.target);
  $("copy-schedule").onclick = (event) => copy(schedule.schedule, event.target);
  $("save-journal").onclick = () => attempt(saveJournal);
  $("clear-schedule").onclick = () => attempt(async () => { await call("POST", "/v1/schedule", { action: "clear", proxy: view.shown }); askState(); });
  document.addEventListener("keydown", (event) => {
    // A window over the page has keys of its own.
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (picked && !isTyping(event)) pick(null);
      event.target.blur();
      return;
    }
    const isButton = event.key === " " && event.target.closest("button, summary, a, input");
    if (isTyping(event) || isButton) return;
    if (hit(event.key)) event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-span]")) button.onclick = () => chooseSpan(button);
  for (const head of document.querySelectorAll("[data-sort]")) head.onclick = () => sortBy(head.dataset.sort);
  $("connections").tBodies[0].onkeydown = walk;
  $("hold").onclick = hold;
  $("show-help").onclick = () => $("help").showModal();
  $("filter").oninput = () => showConnections(true);
  $("target-all").onclick = () => { pick(null); $("filter").value = ""; showConnections(true); };
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", draw);
  network.connect(askState);
  faults.connect(askState);
  new ResizeObserver(([top]) => document.body.style.setProperty("--bar-top", `${top.target.offsetHeight}px`)).observe(document.querySelector(".bar-top"));
  ladder.connect(recordsOf, carriedBeside, () => { if (report) ladder.showTransfers(report, live); });
}

// The open connections, as many as the page keeps.
async function askOpen() {
  const rows = [];
  let next = "";
  do {
    const page = await call("GET", ofShown(`/v1/connections?limit=1000${next && `&after=${next}`}`));
    rows.push(...page.connections);
    next = page.next ?? "";
  } while (next && rows.length < connectionLimit);
  return { rows, isAll: !next };
}

// The end of a connection may be among the records that were left out.
const untoldAfter = 5000;
function noteUntold() {
  const now = view.latest?.elapsedMilliseconds ?? 0;
  for (const row of connections.values()) {
    const isGone = row.ended === undefined && !live.has(row.id) && row.began < now - untoldAfter;
    if (isGone && row.id.includes("c")) Object.assign(row, { ended: now, how: "ended; how is left out" });
  }
}

let isAsking = false;
let report = null;

// Once a second is often enough for people, and no load.
async function poll() {
  if (document.hidden || isAsking || hasEnded) return;
  isAsking = true;
  const name = view.shown;
  try {
    const [open, transfers, list] = await Promise.all([askOpen(), call("GET", "/v1/transfers"), call("GET", "/v1/proxies")]);
    isAsking = false;
    if (hasEnded) return;
    if (name !== view.shown) return await poll();
    takeProxies(list.proxies);
    live = new Map(open.rows.map((row) => [row.id, row]));
    for (const row of live.values()) if (connections.has(row.id)) noteStill(connections.get(row.id), row);
    if (missed && open.isAll) noteUntold();
    report = transfers;
    showConnections();
    ladder.showTransfers(report, live);
  } catch { /* The stream tells when linkcond is gone. */ }
  isAsking = false;
}

let stream = null;

function follow() {
  stream?.close();
  const mine = new EventSource(ofShown(`/v1/events?after=${lastRecord}`));
  stream = mine;
  stream.addEventListener("sample", (event) => {
    const sample = JSON.parse(event.data);
    if (sample.proxy !== view.shown) renamed(sample.proxy);
    takeSample(sample);
    draw();
  });
  stream.addEventListener("records", (event) => {
    for (const record of JSON.parse(event.data)) { lastRecord = record.n_approx; takeRecord(record); }
    showLog();
  });
  stream.addEventListener("gap", (event) => miss(JSON.parse(event.data).missed));
  stream.addEventListener("ended", () => lookAndEnd(mine));
  stream.addEventListener("gone", () => { mine.close(); fellBack(view.shown); });
  stream.onopen = () => { say($("answer"), ""); };
  stream.onerror = () => {
    if (hasEnded) return;
    badge("lost", "lost");
    tile("rate", "–");
    say($("answer"), "The connection to linkcond is lost; reconnecting.");
    // Refused: the proxy may have ended meanwhile, or have another name.
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === mine) goOn(); }, 1000);
  };
}

// linkcond waits a moment for the pages that still listen: time for what all records came to.
async function lookAndEnd(mine) {
  hasEnded = true;
  try { [report] = await Promise.all([call("GET", "/v1/transfers"), faults.askFaults()]); } catch { /* What was known before stays. */ }
  mine.close();
  end();
}

// The run is over: what was seen stays to be looked at.
function end() {
  hasEnded = true;
  const last = view.latest;
  if (last) {
    history.take(last);
    showSample({ ...last, openConnections: 0, openFlows: last.openFlows && 0, queuedBytesDown: 0, queuedBytesUp: 0, paused: false, outage: false });
  }
  for (const row of connections.values()) if (row.ended === undefined) Object.assign(row, { ended: last?.elapsedMilliseconds, how: ended.shutdown });
  live = new Map();
  showConnections();
  faults.end();
  ladder.end();
  badge("ended", "ended");
  say($("answer"), "This run has ended; the page shows its final state.");
  for (const button of document.querySelectorAll("#actions [data-act], #alarm button, #fault-form button, #settings button")) button.disabled = true;
}

async function goOn() {
  try {
    const { proxies: list } = await call("GET", "/v1/proxies");
    if (list.some((one) => one.name === view.shown)) follow(); else fellBack(view.shown);
  } catch { setTimeout(goOn, 1000); }
}

// The proxy that the address asks for, if it is there.
function chooseFirst() {
  if (!wanted || wanted === own) return;
  if (view.proxies.some((one) => one.name === wanted)) view.shown = wanted;
  else $("proxy-told").textContent = `There is no proxy ${wanted}; this is ${own}.`;
  keepAddress();
}

async function begin() {
  listen();
  try {
    await login();
    takeProxies((await call("GET", "/v1/proxies")).proxies);
    chooseFirst();
    await Promise.all([askHistory(), askState(), faults.askFaults()]);
    reveal();
  } catch (error) {
    $("alarm").hidden = false;
    $("alarm").textContent = error.status === 401
      ? "Open the address that linkcond printed, with its #t= part." : error.message;
    return;
  }
  follow();
  setInterval(poll, 1000);
  poll();
}

begin();
