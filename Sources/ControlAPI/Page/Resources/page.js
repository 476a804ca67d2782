// The dashboard of a running linkcond: shows what /v1 tells, and does what its buttons say through /v1.

import { Chart, History } from "./chart.js";

const $ = (id) => document.getElementById(id);
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};
const drawn = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// Amounts

const scaled = (value, units, base) => {
  let place = 0;
  while (value >= base && place < units.length - 1) { value /= base; place += 1; }
  const digits = place === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[place]}`;
};
const bytes = (count) => scaled(count, ["B", "kB", "MB", "GB", "TB"], 1000);
const rate = (perSecond) => scaled(perSecond * 8, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"], 1000);
const span = (milliseconds) => milliseconds < 1000
  ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 2 : 1)} s`;

// Talking to linkcond

class Refused extends Error {}

async function call(method, path, body) {
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

async function login() {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (token) {
    await call("POST", "/v1/login", { token });
    // Neither history nor a shared screen keeps the token.
    history.replaceState(null, "", location.pathname);
  }
}

// What is known

const own = "default";
// Of each proxy by its name.
const histories = new Map();
// Faults and actions since the run began; the oldest go first.
const marks = [];
const markLimit = 2000;
const connections = new Map();
// The name of the proxy that is shown, and what is known of all.
let shown = own;
const wanted = new URLSearchParams(location.hash.slice(1)).get("proxy");
let proxies = [];
let latest = null;
let offset = 0;

const historyOf = (name) => {
  if (!histories.has(name)) histories.set(name, new History());
  return histories.get(name);
};

const remember = (name, sample) => historyOf(name).take(sample);

function note(at, kind, words) {
  marks.push({ at, kind, words });
  if (marks.length > markLimit) marks.shift();
}

function takeSample(sample) {
  latest = sample;
  offset = performance.now() - sample.elapsedMilliseconds;
  remember(shown, sample);
  showSample(sample);
}

const nameOf = (record) => `${record.l ? `l${record.l}` : ""}c${record.c}`;
const ended = { fin: "closed normally", rst: "reset", hole: "silent" };

function takeRecord(record) {
  const at = (record.at_ns ?? 0) / 1e6;
  const id = record.c ? nameOf(record) : "";
  switch (record.t) {
    case "conn":
      connections.set(id, { id, began: at, requests: [] });
      if (connections.size > 400) connections.delete(connections.keys().next().value);
      return log(at, id, "connected");
    case "req":
      connections.get(id)?.requests.push({ words: `${record.method} ${record.target}`, at });
      return log(at, id, `${record.method} ${record.target}`);
    case "resp": {
      const request = connections.get(id)?.requests[record.r - 1];
      if (request) { request.status = record.status; request.answered = at; }
      return log(at, id, `status ${record.status}`);
    }
    case "body": {
      const request = connections.get(id)?.requests[record.r - 1];
      if (request && record.dir === "resp") { request.ended = at; request.cut = !record.complete; }
      return;
    }
    case "connend": {
      const connection = connections.get(id);
      const words = ended[record.how] ?? record.how;
      const by = record.by ?? record.by_approx;
      const told = by === "fault" ? `cut by a fault (${record.how})` : words;
      if (connection) {
        Object.assign(connection, {
          ended: at, bad: by === "fault", how: told,
          up: record.up_bytes ?? record.up_bytes_approx, down: record.down_bytes ?? record.down_bytes_approx,
        });
      }
      return log(at, id, told);
    }
    case "fault":
      if (record.state !== "fired") return;
      note(at, "fault", `${id} ${record.address} ${record.effect}`);
      askFaults();
      return log(at, id, `fault ${record.address} ${record.effect}`, "fault");
    case "change": {
      const words = `${record.action}${record.detail ? ` ${Object.values(record.detail).join(" ")}` : ""}`;
      note(at, "action", words);
      askState();
      return log(at, "", words, "action");
    }
    case "note": return log(at, id, record.text);
    case "upstream": return log(at, id, `upstream: ${record.error}`);
    case "path": return askState();
  }
}

function log(at, id, words, kind) {
  const line = element("li", kind ? { class: kind } : {}, `${span(at).padStart(8)}  ${id.padEnd(5)} ${words}`);
  $("log").prepend(line);
  while ($("log").children.length > 6) $("log").lastChild.remove();
}

// Which proxy

const ofShown = (path) => `${path}${path.includes("?") ? "&" : "?"}proxy=${shown}`;
const proxy = () => proxies.find((one) => one.name === shown);
const seed = () => proxy()?.seed ?? "";

function takeProxies(list) {
  proxies = list;
  for (const name of histories.keys()) {
    if (name !== shown && !list.some((one) => one.name === name)) histories.delete(name);
  }
  if (latest) {
    const elapsedMilliseconds = performance.now() - offset;
    for (const one of list) if (one.name !== shown) remember(one.name, { ...one, elapsedMilliseconds });
  }
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
  proxies.forEach((one, index) => {
    const label = old.get(one.name) ?? chip(one.name);
    old.delete(one.name);
    const trouble = one.conditions.outage ? "no network" : one.conditions.paused ? "paused" : one.enabled ? "" : "listens no more";
    const words = [one.profile, `${one.connections.open} open`, trouble].filter(Boolean).join(" · ");
    if (label.lastChild.textContent !== words) label.lastChild.textContent = words;
    label.lastChild.className = trouble ? "fail" : "dim";
    label.firstChild.checked = one.name === shown;
    if (list.children[index] !== label) list.insertBefore(label, list.children[index] ?? null);
  });
  for (const label of old.values()) label.remove();
  if (hadFocus && !list.contains(document.activeElement)) list.querySelector(":checked")?.focus();
  const isMany = proxies.length > 1;
  $("proxies").hidden = !isMany;
  document.body.classList.toggle("many", isMany);
  for (const place of document.querySelectorAll(".of")) place.textContent = `of ${shown}`;
  const routes = proxy()?.listeners ?? [];
  $("where").textContent = routes.map((l) => `${l.listen} → ${l.upstream}`).join(", ");
  for (const place of document.querySelectorAll(".address")) place.textContent = routes[0]?.listen ?? "";
  for (const place of document.querySelectorAll(".try")) place.textContent = `curl -o file ${routes[0]?.listen ?? ""}/bytes/10000000`;
  document.title = `linkcond ${isMany ? `${shown} ` : ""}${routes[0]?.listen ?? ""}`;
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
  history.replaceState(null, "", location.pathname + (shown === own ? "" : `#proxy=${shown}`));
}

function choose(name, words = "") {
  shown = name;
  latest = null;
  historyOf(name).before = null;
  marks.length = 0;
  connections.clear();
  $("log").replaceChildren();
  $("answer").textContent = "";
  $("fault-problem").textContent = "";
  $("proxy-told").textContent = words;
  keepAddress();
  showProxies();
  reveal();
  follow();
  askAll();
  draw();
}

const askAll = () => Promise.all([askState(), askFaults(), poll()]).catch(() => {});

const chooseNext = () => {
  const place = proxies.findIndex((one) => one.name === shown);
  const next = proxies[(place + 1) % proxies.length];
  if (next && next.name !== shown) choose(next.name);
};

function renamed(name) {
  histories.set(name, historyOf(shown));
  histories.delete(shown);
  shown = name;
  keepAddress();
  askAll();
}

const fellBack = (name) => choose(own, `Proxy ${name} has ended; this is ${own}.`);

// The top

function tile(name, words, more, isBad = false) {
  $(`tile-${name}`).textContent = words;
  $(`tile-${name}`).className = isBad ? "bad" : "";
  if (more !== undefined) $(`tile-${name}-more`).textContent = more;
}

function showSample(sample) {
  const now = historyOf(shown).last;
  tile("profile", sample.profile);
  tile("rate", now ? `↓ ${rate(now.down)}  ↑ ${rate(now.up)}` : "–");
  tile("queue", bytes(sample.queuedBytesDown + sample.queuedBytesUp), `${bytes(sample.queuedBytesDown)} down, ${bytes(sample.queuedBytesUp)} up`);
  tile("open", `${sample.openConnections}`);
  tile("faults", `${sample.faultsFired}`);
  $("totals").textContent = `${sample.totalConnections} in all · `
    + `${bytes(sample.bytesDown)} down, ${bytes(sample.bytesUp)} up`;
  $("totals").title = $("totals").textContent;
  $("state").textContent = `${sample.profile} · seed ${seed()} · ${span(sample.elapsedMilliseconds)}`;
  badge(sample.outage ? "no network" : sample.paused ? "paused" : "running", sample.outage || sample.paused ? "halted" : "running");
  press("pause", sample.paused);
  press("outage", sample.outage);
  const alarm = sample.outage ? "No network: nothing passes, as in a tunnel."
    : sample.paused ? "Paused: nothing passes until you resume." : "";
  if (alarm !== ($("alarm").dataset.words ?? "")) {
    $("alarm").dataset.words = alarm;
    const button = element("button", {}, sample.outage ? "End it" : "Resume");
    button.onclick = () => act(sample.outage ? "outage" : "pause");
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
  pause: () => ({ action: latest?.paused ?? proxy()?.conditions.paused ? "resume" : "pause" }),
  stall: () => ({ action: "stall", for: "5s" }),
  refuse: () => ({ action: "refuse" }),
  outage: () => ({ action: latest?.outage ?? proxy()?.conditions.outage ? "restore" : "outage" }),
  mark: () => ({ action: "mark" }),
};

async function attempt(work) {
  try {
    $("answer").textContent = "";
    $("answer").className = "";
    await work();
  } catch (error) {
    $("answer").className = "problem";
    $("answer").textContent = error instanceof Refused ? error.message : "linkcond does not answer; has it ended?";
  }
}

const act = (name) => attempt(async () => {
  const answer = await call("POST", "/v1/actions", { ...orders[name](), proxy: shown });
  const count = answer.affected;
  $("answer").textContent = count ? `${answer.action}: ${count} connection${count === 1 ? "" : "s"}` : `${answer.action}: done`;
  askState();
});

// Profiles

let profileNames = [];

function showProfiles() {
  const wanted = $("profile-filter").value.trim().toLowerCase();
  const current = proxy()?.profile;
  const listed = profileNames.filter((name) => name.includes(wanted) || name === current);
  // Options that are replaced close a list that somebody has open.
  const present = [...$("profile").options].map((option) => option.value);
  if (present.join() !== listed.join()) {
    $("profile").replaceChildren(...listed.map((name) => element("option", { value: name }, name)));
  }
  $("profile").value = current ?? "none";
}

async function askProfile() {
  const name = shown;
  const profile = await call("GET", ofShown("/v1/profiles/current"));
  if (name !== shown) return;
  $("profile-about").textContent = profile.summary;
  showFigures(Object.fromEntries(profile.settable.map((setting) => [setting.key, setting.value])));
  $("settable").replaceChildren(...profile.settable.map((setting) => {
    const input = element("input", { name: setting.key, value: setting.value ?? "", title: setting.help, spellcheck: "false" });
    return element("label", {}, setting.key, input);
  }));
}

let ceilings = {};
const unitsOfRate = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

// Bytes a second of "50Mbit/s"; none of a rate that has no end or comes from a trace.
function ceiling(text) {
  const parts = /^([\d.]+)([kMGT]?)bit\/s$/.exec(text ?? "");
  return parts ? Number(parts[1]) * unitsOfRate[parts[2]] / 8 : Infinity;
}

function showFigures(values) {
  ceilings = { down: ceiling(values["down.rate"]), up: ceiling(values["up.rate"]) };
  const words = [ceilings.down, ceilings.up].map((value) => Number.isFinite(value) ? `${value * 8 / 1e6}` : "∞");
  const isLimited = Number.isFinite(ceilings.down) || Number.isFinite(ceilings.up);
  const rates = values.trace ? "by trace" : isLimited ? `${words.join("/")} Mbit/s` : "no limit";
  const further = values.rtt && values.rtt !== "0s" ? [values.rtt.replace(/(?<=\d)(?=[a-z])/, " ")] : [];
  $("tile-figures").textContent = [rates, ...further].join(", ");
  $("tile-ceiling").textContent = isLimited && !values.trace ? `of ${words[0]} down, ${words[1]} up Mbit/s` : "no ceiling";
}

const switchProfile = (name) => attempt(async () => {
  await call("PATCH", `/v1/proxies/${shown}`, { profile: name });
  $("answer").textContent = `profile ${name}`;
  await askState();
});

const applySettings = () => attempt(async () => {
  const settings = {};
  for (const input of $("settable").querySelectorAll("input")) {
    if (input.value !== input.defaultValue) settings[input.name] = input.value;
  }
  if (!Object.keys(settings).length) return;
  await call("PATCH", `/v1/proxies/${shown}`, { settings });
  $("answer").textContent = "applied";
  await askState();
});

// The chart

const chart = new Chart($("chart"), $("tip"));
// Seconds that are shown; 0 for all. Where the view ends, if it is held.
let shownSeconds = 120;
let heldAt = null;

function draw() {
  if (document.hidden) return;
  const history = historyOf(shown);
  const to = heldAt ?? latest?.elapsedMilliseconds ?? 0;
  const first = history.points[0]?.at ?? to;
  const from = shownSeconds ? to - shownSeconds * 1000 : Math.min(first, marks[0]?.at ?? first);
  chart.draw({ points: history.points, marks, ceilings, from: Math.max(0, from), to, rate, bytes });
  const now = history.last;
  if (now) $("chart").setAttribute("aria-label", `Now ${rate(now.down)} down, ${rate(now.up)} up; ${marks.length} faults and actions, listed below`);
}

function chooseSpan(button) {
  shownSeconds = Number(button.dataset.span);
  for (const one of document.querySelectorAll("[data-span]")) one.setAttribute("aria-pressed", one === button);
  draw();
}

function hold() {
  heldAt = heldAt === null ? latest?.elapsedMilliseconds ?? null : null;
  $("hold").setAttribute("aria-pressed", heldAt !== null);
  draw();
}

// Connections

const connectionRows = 30;
const amount = (count) => count === undefined ? "" : bytes(count);

function showConnections(open) {
  const now = latest?.elapsedMilliseconds ?? 0;
  const wanted = $("filter").value.trim().toLowerCase();
  const holds = (row) => {
    const live = open.get(row.id);
    const words = [row.id, live ? live.state : row.how, live?.latestRequest, ...row.requests.map((request) => request.words)];
    return words.join(" ").toLowerCase().includes(wanted);
  };
  const all = [...connections.values()].filter(holds).reverse();
  // Those that are open first; each part has the newest first.
  const rows = [...all.filter((row) => open.has(row.id)), ...all.filter((row) => !open.has(row.id))].slice(0, connectionRows);
  const rest = all.length - rows.length;
  $("connections-more").textContent = rest > 0 ? `${rest} more; a filter finds them.` : all.length ? "" : wanted ? "None with this text." : "None yet.";
  const begin = Math.min(...rows.map((row) => row.began), now);
  const whole = Math.max(1, now - begin);
  const body = rows.map((row) => {
    const live = open.get(row.id);
    const bar = element("div", { class: "bar" });
    const piece = (from, to, kind) => {
      const part = element("i", { class: kind });
      part.style.left = `${100 * (from - begin) / whole}%`;
      part.style.width = `${Math.max(0.5, 100 * (to - from) / whole)}%`;
      bar.append(part);
    };
    const end = row.ended ?? now;
    piece(row.began, end, "wait");
    for (const request of row.requests.slice(-20)) {
      if (request.answered) piece(request.answered, request.ended ?? end, request.cut ? "bad" : "");
    }
    const last = row.requests.at(-1);
    const words = last ? `${last.words}${last.status ? ` → ${last.status}` : ""}` : live?.latestRequest ?? "";
    const cut = element("button", { "aria-label": `cut ${row.id}` }, "cut");
    cut.onclick = () => attempt(() => call("DELETE", `/v1/connections/${row.id}?kind=rst`));
    return element("tr", {},
      element("td", { class: "mono" }, row.id), element("td", {}, words), element("td", {}, bar),
      element("td", { class: "num" }, amount(live?.bytesUp ?? row.up)),
      element("td", { class: "num" }, amount(live?.bytesDown ?? row.down)),
      element("td", row.bad ? { class: "fail" } : {}, live ? live.state : row.how ?? ""),
      element("td", {}, ...(live ? [cut] : [])));
  });
  // A button that has the focus must not go away under a finger.
  if (!$("connections").contains(document.activeElement)) $("connections").tBodies[0].replaceChildren(...body);
}

// Transfers

const patterns = () => {
  const pattern = drawn("pattern", { id: "again", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(drawn("rect", { width: 3, height: 5, class: "again-ink" }));
  const frame = drawn("svg", { width: 0, height: 0, "aria-hidden": "true" });
  frame.style.position = "absolute";
  frame.style.width = "0";
  frame.append(pattern);
  return frame;
};

// Content under way is told of when it has ended; until then the connection's bytes say about how much.
function underWay(attempt, kind, open) {
  if (attempt.endedNanoseconds || attempt.bytes || attempt.request !== 1) return null;
  const live = open.get(`${attempt.listener > 1 ? `l${attempt.listener}` : ""}c${attempt.connection}`);
  return live ? { ...attempt, bytes: kind === "download" ? live.bytesDown : live.bytesUp } : null;
}

function rung(attempt, size) {
  const svg = drawn("svg", { viewBox: "0 0 1000 16", preserveAspectRatio: "none", role: "img", class: "rung" });
  const x = (at) => 1000 * Math.min(1, at / size);
  const box = (from, to, kind) => svg.append(drawn("rect", { x: x(from), y: 3, width: Math.max(2, x(to) - x(from)), height: 10, class: kind }));
  svg.append(drawn("rect", { x: 0, y: 6.5, width: 1000, height: 3, class: "s-back" }));
  const end = attempt.start + attempt.bytes;
  const known = attempt.confirmedBefore;
  if (attempt.start > known) box(known, attempt.start, "s-gap");
  if (attempt.bytes && attempt.start < known) box(attempt.start, Math.min(end, known), "s-again");
  if (end > Math.max(known, attempt.start)) box(Math.max(known, attempt.start), end, "s-new");
  if (attempt.failure) {
    svg.append(drawn("path", { d: `M${x(end) - 5} 2l10 12m0 -12l-10 12`, class: "s-cut", "vector-effect": "non-scaling-stroke" }));
  }
  for (const told of attempt.offsetsTold) svg.append(drawn("path", { d: `M${x(told)} 1l4 7l-4 7l-4 -7z`, class: "s-told" }));
  return svg;
}

// One that went on through another proxy is shown at both.
function isOfShown(transfer) {
  const numbers = (proxy()?.listeners ?? []).map((l) => l.listener);
  return transfer.attempts.some((attempt) => numbers.includes(attempt.listener));
}

const noTransfers = $("transfers").firstElementChild;

// What somebody looks for comes first: interrupted, then under way, then large.
const isRunning = (transfer) => transfer.attempts.some((attempt) => !attempt.endedNanoseconds);
const isInterrupted = (transfer) => transfer.tries > 1 || transfer.attempts.some((attempt) => attempt.failure);
const isTrivial = (transfer) => !isInterrupted(transfer) && !isRunning(transfer);
const interest = (transfer) => (isInterrupted(transfer) ? 4 : 0) + (transfer.tries > 1 ? 2 : 0) + (isRunning(transfer) ? 1 : 0);
const transferRows = 12;

function rungWords(transfer, index, attempt, isAbout) {
  const told = transfer.attempts[index];
  const before = transfer.attempts[index - 1];
  const wait = before?.endedNanoseconds ? (told.beganNanoseconds - before.endedNanoseconds) / 1e6 : 0;
  const state = told.failure?.replace(/^an? /, "") ?? (told.endedNanoseconds ? "" : "under way");
  return [
    attempt.kind, attempt.start ? `from ${bytes(attempt.start)}` : "",
    `${isAbout ? "about " : ""}${bytes(attempt.bytes)}`, state, wait > 0 ? `after ${span(wait)}` : "",
  ].filter(Boolean);
}

function ladderOf(transfer, size, open) {
  const ladder = element("div", { class: "ladder" });
  const first = Math.max(0, transfer.attempts.length - 16);
  transfer.attempts.slice(first).forEach((told, place) => {
    const index = first + place;
    const now = underWay(told, transfer.kind, open);
    const attempt = now ?? told;
    const words = rungWords(transfer, index, attempt, Boolean(now));
    const svg = rung(attempt, Math.max(1, size));
    svg.setAttribute("aria-label", `try ${index + 1}, from ${attempt.start}, ${words.join(", ")}`);
    ladder.append(element("span", { class: "dim" }, `${index + 1}`), svg, element("span", { class: "words" }, words.join(" · ")));
  });
  return ladder;
}

function article(transfer, open) {
  const size = transfer.bytes ?? Math.max(1, ...transfer.attempts.map((a) => a.start + a.bytes));
  const state = transfer.complete ? "complete" : isRunning(transfer) ? "under way" : "not complete";
  return element("article", { class: "transfer" },
    element("h3", {}, `${transfer.kind} `, element("code", {}, transfer.target)),
    element("p", {}, `${bytes(size)} · ${bytes(transfer.wireBytes)} sent · ${transfer.tries} ${transfer.tries === 1 ? "try" : "tries"} · ${state}`),
    ladderOf(transfer, size, open));
}

function showTransfers(report, open) {
  const all = report.transfers.filter(isOfShown).reverse();
  const sizeOf = (transfer) => transfer.bytes ?? 0;
  const sorted = all.toSorted((a, b) => interest(b) - interest(a) || (isTrivial(a) ? sizeOf(b) - sizeOf(a) : 0));
  // Some are always shown: a run without trouble is not an empty one.
  const chosen = sorted.filter((transfer, place) => place < 3 || !isTrivial(transfer)).slice(0, transferRows);
  const rest = all.length - chosen.length;
  const place = $("transfers").scrollTop;
  if (!chosen.length) $("transfers").replaceChildren(noTransfers);
  else {
    const more = rest ? [element("p", { class: "dim" }, `and ${rest} more of less interest`)] : [];
    $("transfers").replaceChildren(patterns(), ...chosen.map((transfer) => article(transfer, open)), ...more);
  }
  $("transfers").scrollTop = place;
  showFindings(report);
}

function showFindings(report) {
  const judged = report.checks.filter((check) => check.verdict !== "skipped");
  const of = (verdict) => judged.filter((check) => check.verdict === verdict);
  const [failed, passed, open] = [of("fail"), of("pass"), of("inconclusive")];
  const words = judged.length ? `${passed.length} checks hold, ${failed.length} do not, ${open.length} inconclusive` : "Nothing to judge yet.";
  tile("findings", judged.length ? `${failed.length}` : "–", judged.length ? `${passed.length} hold, ${open.length} open` : "nothing to judge yet", failed.length > 0);
  $("verdicts").textContent = words;
  $("findings").replaceChildren(...failed.map((check) => element("div", { class: "finding" },
    element("p", {}, element("b", {}, check.check), ` ${check.title}`),
    element("p", {}, check.observed), element("p", { class: "dim" }, `allowed: ${check.limit}`))));
  $("checks").replaceChildren(...judged.map((check) => element("tr", {},
    element("td", { class: check.verdict }, check.verdict), element("td", {}, check.check),
    element("td", {}, check.title), element("td", { class: "dim" }, check.observed))));
}

// Faults

async function askFaults() {
  const name = shown;
  const { faults } = await call("GET", ofShown("/v1/faults"));
  if (name !== shown) return;
  const rows = faults.map((fault) => {
    const remove = element("button", { "aria-label": `remove ${fault.fault}` }, "remove");
    remove.onclick = () => attempt(async () => { await call("DELETE", `/v1/faults/${fault.id}`); askFaults(); askState(); });
    return element("tr", {}, element("td", { class: "mono" }, fault.fault),
      element("td", { class: fault.state === "fired" ? "fail" : "dim" }, fault.state === "fired" ? `fired ${fault.fired}×` : fault.state),
      element("td", {}, ...(fault.state === "removed" ? [] : [remove])));
  });
  $("faults").tBodies[0].replaceChildren(...rows);
  const waiting = faults.filter((fault) => fault.state !== "removed" && fault.state !== "fired").length;
  $("tile-faults-more").textContent = `${waiting} waiting`;
}

async function addFault(event) {
  event.preventDefault();
  $("fault-problem").textContent = "";
  try {
    await call("POST", "/v1/faults", { fault: $("fault").value.trim(), proxy: shown });
    $("fault").value = "";
    askFaults();
    askState();
  } catch (error) {
    $("fault-problem").textContent = error.message;
  }
}

// The session

let schedule = null;
// Whose profile is shown, and which one.
let described = "";

async function askState() {
  const name = shown;
  const [list, names, recorded] = await Promise.all([
    call("GET", "/v1/proxies"), call("GET", ofShown("/v1/profiles")), call("GET", ofShown("/v1/schedule")),
  ]);
  if (name !== shown) return;
  takeProxies(list.proxies);
  const describes = `${name} ${names.current}`;
  const changed = described !== describes;
  described = describes;
  profileNames = names.profiles;
  schedule = recorded;
  $("schedule").textContent = recorded.schedule;
  $("remarks").replaceChildren(...[...recorded.differences, ...recorded.remarks].map((text) => element("li", {}, text)));
  if (document.activeElement !== $("profile-filter")) showProfiles();
  if (changed || !$("values").open) await askProfile();
}

const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

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

const keys = { c: "cut", " ": "pause", s: "stall", r: "refuse", o: "outage", m: "mark" };

function listen() {
  for (const button of document.querySelectorAll("[data-act]")) button.onclick = () => act(button.dataset.act);
  $("profile").onchange = () => switchProfile($("profile").value);
  $("profile-filter").oninput = showProfiles;
  $("settings").onsubmit = (event) => { event.preventDefault(); applySettings(); };
  $("fault-form").onsubmit = addFault;
  $("copy-command").onclick = (event) => copy(command(), event.target);
  $("copy-schedule").onclick = (event) => copy(schedule.schedule, event.target);
  $("save-journal").onclick = () => attempt(saveJournal);
  $("clear-schedule").onclick = () => attempt(async () => { await call("POST", "/v1/schedule", { action: "clear", proxy: shown }); askState(); });
  document.addEventListener("keydown", (event) => {
    // Escape leaves a field; keys under an open list of keys are not meant for the proxy.
    if (event.key === "Escape" && !$("help").open) event.target.blur();
    if ($("help").open) return;
    const isTyping = event.target.closest("input:not([type=radio]), select, textarea");
    const isButton = event.key === " " && event.target.closest("button, summary, a, input");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isButton) return;
    if (keys[event.key]) { event.preventDefault(); act(keys[event.key]); }
    if (event.key === "p") { event.preventDefault(); $("profile").focus(); }
    if (event.key === "x") chooseNext();
    if (event.key === "?") $("help").showModal();
    if (event.key === "/") { event.preventDefault(); $("filter").focus(); }
    if (event.key === "f") { event.preventDefault(); $("fault").focus(); }
  });
  for (const button of document.querySelectorAll("[data-span]")) button.onclick = () => chooseSpan(button);
  $("hold").onclick = hold;
  $("show-help").onclick = () => $("help").showModal();
  $("filter").oninput = poll;
  addEventListener("resize", draw);
}

let isAsking = false;

// Once a second is often enough for people, and no load.
async function poll() {
  if (document.hidden || isAsking) return;
  isAsking = true;
  const name = shown;
  try {
    const [open, transfers, list] = await Promise.all([
      call("GET", ofShown("/v1/connections?limit=200")), call("GET", "/v1/transfers"), call("GET", "/v1/proxies"),
    ]);
    isAsking = false;
    if (name !== shown) return await poll();
    takeProxies(list.proxies);
    const live = new Map(open.connections.map((row) => [row.id, row]));
    showConnections(live);
    showTransfers(transfers, live);
  } catch { /* The stream tells when linkcond is gone. */ }
  isAsking = false;
}

let stream = null;

function follow() {
  stream?.close();
  const mine = new EventSource(ofShown("/v1/events?after=0"));
  stream = mine;
  stream.addEventListener("sample", (event) => {
    const sample = JSON.parse(event.data);
    if (sample.proxy !== shown) renamed(sample.proxy);
    takeSample(sample);
    draw();
  });
  stream.addEventListener("records", (event) => JSON.parse(event.data).forEach(takeRecord));
  stream.addEventListener("gone", () => { mine.close(); fellBack(shown); });
  stream.onopen = () => { $("answer").textContent = ""; };
  stream.onerror = () => {
    badge("lost", "lost");
    $("answer").textContent = "The connection to linkcond is lost; reconnecting.";
    // Refused: the proxy may have ended meanwhile, or have another name.
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === mine) goOn(); }, 1000);
  };
}

async function goOn() {
  try {
    const { proxies: list } = await call("GET", "/v1/proxies");
    if (list.some((one) => one.name === shown)) follow(); else fellBack(shown);
  } catch { setTimeout(goOn, 1000); }
}

// The proxy that the address asks for, if it is there.
function chooseFirst() {
  if (!wanted || wanted === own) return;
  if (proxies.some((one) => one.name === wanted)) shown = wanted;
  else $("proxy-told").textContent = `There is no proxy ${wanted}; this is ${own}.`;
  keepAddress();
}

async function begin() {
  listen();
  try {
    await login();
    takeProxies((await call("GET", "/v1/proxies")).proxies);
    chooseFirst();
    await Promise.all([askState(), askFaults()]);
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
