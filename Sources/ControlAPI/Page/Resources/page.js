// The dashboard of a running linkcond: shows what /v1 tells, and does what its buttons say through /v1.

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
const seconds = 120;
// Of each proxy by its name: rates, and the sample that the next one is measured from.
const histories = new Map();
const marks = [];
const connections = new Map();
// The name of the proxy that is shown, and what is known of all.
let shown = own;
const wanted = new URLSearchParams(location.hash.slice(1)).get("proxy");
let proxies = [];
let latest = null;
let offset = 0;

const historyOf = (name) => {
  if (!histories.has(name)) histories.set(name, { samples: [], before: null });
  return histories.get(name);
};

function remember(name, sample) {
  const { samples, before } = historyOf(name);
  histories.get(name).before = sample;
  const time = before ? (sample.elapsedMilliseconds - before.elapsedMilliseconds) / 1000 : 0;
  if (time > 0) {
    samples.push({
      at: sample.elapsedMilliseconds,
      down: Math.max(0, sample.bytesDown - before.bytesDown) / time,
      up: Math.max(0, sample.bytesUp - before.bytesUp) / time,
      queueDown: sample.queuedBytesDown,
      queueUp: sample.queuedBytesUp,
    });
    while (samples.length && samples[0].at < sample.elapsedMilliseconds - seconds * 1000) samples.shift();
  }
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
      if (connection) { connection.ended = at; connection.bad = by === "fault"; connection.how = words; }
      return log(at, id, by === "fault" ? `${words} by a fault` : words);
    }
    case "fault":
      if (record.state !== "fired") return;
      marks.push({ at, kind: "fault" });
      askFaults();
      return log(at, id, `fault ${record.address} ${record.effect}`, "fault");
    case "change":
      marks.push({ at, kind: "action" });
      askState();
      return log(at, "", `${record.action}${record.detail ? ` ${Object.values(record.detail).join(" ")}` : ""}`, "fault");
    case "note": return log(at, id, record.text);
    case "upstream": return log(at, id, `upstream: ${record.error}`);
    case "path": return askState();
  }
}

function log(at, id, words, kind) {
  const line = element("li", kind ? { class: kind } : {}, `${span(at).padStart(8)}  ${id.padEnd(5)} ${words}`);
  $("log").prepend(line);
  while ($("log").children.length > 8) $("log").lastChild.remove();
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

function showSample(sample) {
  $("totals").textContent =
    `${sample.openConnections} open, ${sample.totalConnections} connections · `
    + `${bytes(sample.bytesDown)} down, ${bytes(sample.bytesUp)} up · ${sample.faultsFired} faults fired`;
  const now = historyOf(shown).samples.at(-1);
  $("rates").textContent = now ? `${rate(now.down)} and ${rate(now.up)}` : "";
  $("queues").textContent = now ? `${bytes(now.queueDown)} down, ${bytes(now.queueUp)} up` : "";
  $("state").textContent = `${sample.profile} · seed ${seed()} · ${span(sample.elapsedMilliseconds)}`;
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
  $("settable").replaceChildren(...profile.settable.map((setting) => {
    const input = element("input", { name: setting.key, value: setting.value ?? "", title: setting.help, spellcheck: "false" });
    return element("label", {}, setting.key, input);
  }));
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

// Charts

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

function surface(id) {
  const canvas = $(id);
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, Number(canvas.getAttribute("height") / (canvas.ratio ?? 1))];
  if (canvas.width !== Math.round(width * ratio) || canvas.ratio !== ratio) {
    canvas.ratio = ratio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui,sans-serif";
  return { context, width, height };
}

const left = 64;
const place = (at, now, width) => left + (width - left) * (1 - (now - at) / (seconds * 1000));

function chart(id, keys, words) {
  const { context, width, height } = surface(id);
  const { samples } = historyOf(shown);
  const now = samples.at(-1)?.at ?? 0;
  const top = Math.max(1, ...samples.flatMap((sample) => keys.map((key) => sample[key])));
  context.strokeStyle = colour("--line");
  context.fillStyle = colour("--dim");
  context.textBaseline = "middle";
  for (const part of [0, 0.5, 1]) {
    const y = Math.round(8 + (height - 16) * (1 - part)) + 0.5;
    context.beginPath(); context.moveTo(left, y); context.lineTo(width, y); context.stroke();
    if (part !== 0.5 || height > 100) context.fillText(words(top * part), 0, y);
  }
  keys.forEach((key, index) => {
    context.strokeStyle = colour(index ? "--up" : "--down");
    context.setLineDash(index ? [5, 3] : []);
    context.lineWidth = 1.5;
    context.beginPath();
    for (const sample of samples) {
      const x = place(sample.at, now, width);
      if (x >= left) context.lineTo(x, 8 + (height - 16) * (1 - sample[key] / top));
    }
    context.stroke();
  });
  context.setLineDash([]);
  context.lineWidth = 1;
}

function timeline() {
  const { context, width, height } = surface("chart-events");
  const now = latest?.elapsedMilliseconds ?? 0;
  while (marks.length && marks[0].at < now - seconds * 1000) marks.shift();
  context.strokeStyle = colour("--line");
  context.beginPath(); context.moveTo(left, 8.5); context.lineTo(width, 8.5); context.stroke();
  context.fillStyle = colour("--dim");
  for (const back of [120, 90, 60, 30, 0]) {
    const x = place(now - back * 1000, now, width);
    context.textAlign = back === 0 ? "right" : back === 120 ? "left" : "center";
    context.fillText(back ? `−${back} s` : "now", x, height - 8);
  }
  context.textAlign = "left";
  for (const mark of marks) {
    const x = place(mark.at, now, width);
    if (mark.kind === "fault") {
      context.strokeStyle = colour("--bad");
      context.lineWidth = 2;
      context.beginPath(); context.moveTo(x - 4, 4); context.lineTo(x + 4, 13); context.moveTo(x + 4, 4); context.lineTo(x - 4, 13); context.stroke();
      context.lineWidth = 1;
    } else {
      context.fillStyle = colour("--down");
      context.beginPath(); context.moveTo(x, 2); context.lineTo(x + 5, 8.5); context.lineTo(x, 15); context.lineTo(x - 5, 8.5); context.fill();
    }
  }
}

function draw() {
  if (document.hidden) return;
  chart("chart-rate", ["down", "up"], rate);
  chart("chart-queue", ["queueDown", "queueUp"], bytes);
  timeline();
}

// Connections

const connectionRows = 30;

function showConnections(open) {
  const now = latest?.elapsedMilliseconds ?? 0;
  const rows = [...connections.values()].slice(-connectionRows).reverse();
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
      element("td", { class: "num" }, live ? bytes(live.bytesUp) : ""),
      element("td", { class: "num" }, live ? bytes(live.bytesDown) : ""),
      element("td", row.bad ? { class: "fail" } : {}, live ? live.state : row.how ?? ""),
      element("td", {}, ...(live ? [cut] : [])));
  });
  // A button that has the focus must not go away under a finger.
  if (!$("connections").contains(document.activeElement)) $("connections").tBodies[0].replaceChildren(...body);
}

// Transfers

const patterns = () => {
  const pattern = drawn("pattern", { id: "again", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(drawn("rect", { width: 3, height: 5, fill: colour("--again") }));
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
  const svg = drawn("svg", { viewBox: "0 0 1000 16", preserveAspectRatio: "none", role: "img" });
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

function showTransfers(report, open) {
  const newest = report.transfers.filter(isOfShown).slice(-12).reverse();
  if (!newest.length) $("transfers").replaceChildren(noTransfers);
  if (newest.length) {
    $("transfers").replaceChildren(patterns(), ...newest.map((transfer) => {
      const size = transfer.bytes ?? Math.max(1, ...transfer.attempts.map((a) => a.start + a.bytes));
      const ladder = element("div", { class: "ladder" });
      transfer.attempts.slice(-16).forEach((told, index) => {
        const now = underWay(told, transfer.kind, open);
        const attempt = now ?? told;
        const state = told.failure?.replace(/^an? /, "") ?? (told.endedNanoseconds ? "" : "under way");
        const words = [attempt.kind, `${now ? "about " : ""}${bytes(attempt.bytes)}`, state];
        const svg = rung(attempt, Math.max(1, size));
        svg.setAttribute("aria-label", `try ${index + 1}, from ${attempt.start}, ${words.join(", ")}`);
        ladder.append(element("span", { class: "dim" }, `${index + 1}`), svg, element("span", { class: "words" }, words.filter(Boolean).join(" · ")));
      });
      const state = transfer.complete ? "complete" : "not complete";
      return element("article", { class: "transfer" },
        element("h3", {}, `${transfer.kind} `, element("code", {}, transfer.target)),
        element("p", {}, `${bytes(size)} · ${bytes(transfer.wireBytes)} sent · ${transfer.tries} ${transfer.tries === 1 ? "try" : "tries"} · ${state}`),
        ladder);
    }));
  }
  const judged = report.checks.filter((check) => check.verdict !== "skipped");
  const failed = judged.filter((check) => check.verdict === "fail");
  $("verdicts").textContent = judged.length ? `${judged.length - failed.length} hold, ${failed.length} do not` : "";
  $("verdicts").className = failed.length ? "fail" : "pass";
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
    const isTyping = event.target.closest("input:not([type=radio]), select, textarea");
    const isButton = event.key === " " && event.target.closest("button, summary, a, input");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isButton) return;
    if (keys[event.key]) { event.preventDefault(); act(keys[event.key]); }
    if (event.key === "p") { event.preventDefault(); $("profile").focus(); }
    if (event.key === "x") chooseNext();
    if (event.key === "f") { event.preventDefault(); $("fault").focus(); }
  });
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
