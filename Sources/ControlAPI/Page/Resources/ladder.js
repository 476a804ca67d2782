// Transfers as ladders: one rung for each attempt, all on the scale of the object, with its messages on
// click; and the findings, whose evidence is marked on the rungs.

import { $, bytes, drawn, element, plural, proxy, say, span } from "./base.js";

const transferRows = 12;
const rungRows = 16;
// Keys of the rungs whose messages are shown, and of those that a finding points at.
const opened = new Set();
let evidence = new Set();
let recordsOf = () => [];
let besideOf = () => null;
let redraw = () => {};
let hasEnded = false;

// The run is over: what was under way stays as it was.
export function end() {
  hasEnded = true;
  drawnBefore = "";
  redraw();
}

// `records(attempt)` gives the journal's records of an attempt; `beside(attempt)` the bytes of its
// connection that are not its content; `again()` draws.
export function connect(records, beside, again) {
  recordsOf = records;
  besideOf = beside;
  redraw = again;
}

export const nameOf = (listener, kind, ordinal) => `${listener > 1 ? `l${listener}` : ""}${kind}${ordinal}`;
const keyOf = (attempt) => `${nameOf(attempt.listener, "c", attempt.connection)}/${attempt.request ? `r${attempt.request}` : ""}`;

// Goes to the rung of an exchange, or of its connection; to the row of what has no rung, as a flow.
export function goTo(connection, request) {
  const key = `${connection}/${request ? `r${request}` : ""}`;
  const rungs = [...document.querySelectorAll("[data-rung]")];
  const found = rungs.find((one) => one.dataset.rung === key) ?? rungs.find((one) => one.dataset.rung.startsWith(`${connection}/`))
    ?? document.querySelector(`#connections [data-id="${connection}"] .pick`);
  if (!found) return false;
  found.scrollIntoView({ block: "center" });
  found.focus();
  return true;
}

export const patterns = () => {
  const pattern = drawn("pattern", { id: "again", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(drawn("rect", { width: 3, height: 5, class: "again-ink" }));
  const frame = drawn("svg", { width: 0, height: 0, "aria-hidden": "true", class: "aside" });
  frame.append(pattern);
  return frame;
};

function rung(attempt, size) {
  const svg = drawn("svg", { viewBox: "0 0 1000 16", preserveAspectRatio: "none", "aria-hidden": "true", class: "rung" });
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

// Content under way is counted when it has ended; until then the connection's bytes say about how much.
function underWay(attempt, kind, open) {
  if (attempt.endedNanoseconds || attempt.bytes) return null;
  const live = open.get(nameOf(attempt.listener, "c", attempt.connection));
  const beside = live && besideOf(attempt);
  if (!beside) return null;
  return { ...attempt, bytes: Math.max(0, kind === "download" ? live.bytesDown - beside.down : live.bytesUp - beside.up) };
}

function sentWords(transfer, open) {
  const moving = transfer.attempts.reduce((sum, attempt) => sum + (underWay(attempt, transfer.kind, open)?.bytes ?? 0), 0);
  return `${moving ? "about " : ""}${bytes(transfer.wireBytes + moving)} sent`;
}

// What someone looks for comes first: interrupted, then under way, then large.
const isUnfinished = (transfer) => transfer.attempts.some((attempt) => !attempt.endedNanoseconds);
const isRunning = (transfer) => !hasEnded && isUnfinished(transfer);
const isInterrupted = (transfer) => transfer.tries > 1 || transfer.attempts.some((attempt) => attempt.failure);
const isTrivial = (transfer) => !isInterrupted(transfer) && !isUnfinished(transfer);
const interest = (transfer) => (isInterrupted(transfer) ? 4 : 0) + (transfer.tries > 1 ? 2 : 0) + (isUnfinished(transfer) ? 1 : 0);

function rungWords(transfer, index, attempt, isAbout) {
  const told = transfer.attempts[index];
  const before = transfer.attempts[index - 1];
  const wait = before?.endedNanoseconds ? (told.beganNanoseconds - before.endedNanoseconds) / 1e6 : 0;
  const state = told.failure?.replace(/^an? /, "") ?? (told.endedNanoseconds ? "" : hasEnded ? "ended with the run" : "under way");
  return [
    attempt.kind, attempt.start ? `from ${bytes(attempt.start)}` : "",
    `${isAbout ? "about " : ""}${bytes(attempt.bytes)}`, state, wait > 0 ? `after ${span(wait)}` : "",
  ].filter(Boolean);
}

const fieldLines = (record) => Object.entries(record.fields ?? {}).map(([name, value]) => `${" ".repeat(11)}${name}: ${value}`);

function recordLines(record) {
  const at = span((record.at_ns ?? 0) / 1e6).padStart(8);
  switch (record.t) {
    case "conn": return [`${at} connected`];
    case "req": return [`${at} → ${record.method} ${record.target}`, ...fieldLines(record)];
    case "resp": return [`${at} ← ${record.status}`, ...fieldLines(record)];
    case "body": return [`${at} ${record.dir === "req" ? "→" : "←"} ${bytes(record.bytes ?? record.bytes_approx)} of content${record.complete ? "" : ", cut short"}`];
    case "fault": return [`${at} ✕ fault ${record.address} ${record.effect}`];
    case "connend": return [`${at} connection ended (${record.how ?? record.how_approx}, by ${record.by ?? record.by_approx})`];
    default: return [`${at} ${record.t} ${record.text ?? record.error ?? ""}`];
  }
}

function messages(attempt) {
  const lines = recordsOf(attempt).flatMap(recordLines);
  return element("pre", { class: "messages", tabindex: "0" }, lines.join("\n") || "These records are older than what linkcond keeps; the journal has them.");
}

function ladderOf(transfer, size, open) {
  const ladder = element("div", { class: "ladder" });
  const first = Math.max(0, transfer.attempts.length - rungRows);
  if (first) ladder.append(element("p", { class: "words" }, `${first} earlier ones are not shown`));
  transfer.attempts.slice(first).forEach((told, place) => {
    const index = first + place;
    const now = underWay(told, transfer.kind, open);
    const attempt = now ?? told;
    const key = keyOf(told);
    const words = rungWords(transfer, index, attempt, Boolean(now)).join(" · ");
    const isOpen = opened.has(key);
    const button = element("button", {
      class: `attempt${evidence.has(key) ? " evidence" : ""}`, "data-rung": key, "aria-expanded": isOpen,
      "aria-label": `try ${index + 1}, from ${attempt.start}, ${words}; its messages`, title: "Show its messages",
    }, element("span", { class: "number" }, `${index + 1}`), rung(attempt, Math.max(1, size)), element("span", { class: "words" }, words));
    button.onclick = () => { if (!opened.delete(key)) opened.add(key); redraw(); };
    ladder.append(button, ...(isOpen ? [messages(told)] : []));
  });
  return ladder;
}

function article(transfer, open) {
  // Nobody knows the size of what was cut before its answer came.
  const size = transfer.bytes ?? Math.max(0, ...transfer.attempts.map((a) => a.start + a.bytes));
  const state = transfer.complete ? "complete" : isRunning(transfer) ? "under way" : "not complete";
  return element("article", { class: "transfer" },
    element("h3", {}, `${transfer.kind} `, element("code", {}, transfer.target)),
    element("p", {}, `${size || transfer.complete ? `${bytes(size)} · ` : ""}${sentWords(transfer, open)} · ${transfer.tries} ${transfer.tries === 1 ? "try" : "tries"} · ${state}`),
    ladderOf(transfer, size, open));
}

// One that went on through another proxy is shown at both.
function isOfShown(transfer) {
  const numbers = (proxy()?.listeners ?? []).map((l) => l.listener);
  return transfer.attempts.some((attempt) => numbers.includes(attempt.listener));
}

const noTransfers = $("transfers").firstElementChild;
let drawnBefore = "";

export function showTransfers(report, open) {
  const all = report.transfers.filter(isOfShown).reverse();
  const sizeOf = (transfer) => transfer.bytes ?? 0;
  const sorted = all.toSorted((a, b) => interest(b) - interest(a) || (isTrivial(a) ? sizeOf(b) - sizeOf(a) : 0));
  // Some are always shown: a run without trouble is not an empty one.
  const chosen = sorted.filter((transfer, place) => place < 3 || !isTrivial(transfer)).slice(0, transferRows);
  mark(report);
  // What would look the same stays, with its focus and its selection.
  const running = chosen.filter(isRunning).map((one) => one.attempts.map((a) => open.get(nameOf(a.listener, "c", a.connection))));
  const looks = JSON.stringify([chosen, running, all.length, [...opened], [...evidence]]);
  if (looks !== drawnBefore) {
    drawnBefore = looks;
    replaceTransfers(chosen, all.length - chosen.length, open);
  }
  showFindings(report);
}

function replaceTransfers(chosen, rest, open) {
  const list = $("transfers");
  const place = list.scrollTop;
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.rung : undefined;
  if (!chosen.length) list.replaceChildren(noTransfers);
  else {
    const more = rest ? [element("p", { class: "dim" }, chosen.length < transferRows ? `and ${rest} more without problems` : `and ${rest} more`)] : [];
    list.replaceChildren(patterns(), ...chosen.map((transfer) => article(transfer, open)), ...more);
  }
  list.scrollTop = place;
  if (focused) [...list.querySelectorAll("[data-rung]")].find((one) => one.dataset.rung === focused)?.focus({ preventScroll: true });
}

// Findings

let pointedAt = null;

// The rungs on which the evidence of the chosen finding lies.
function mark(report) {
  const check = report.checks.find((one) => one.check === pointedAt && one.verdict === "fail");
  const lines = check?.lines ?? [];
  const attempts = report.transfers.flatMap((transfer) => transfer.attempts);
  evidence = new Set(attempts.filter((a) => lines.some((line) => line >= a.line && line <= a.lastLine)).map(keyOf));
}

function tile(words, more, isBad) {
  say($("tile-findings"), words);
  $("tile-findings").className = isBad ? "bad" : "";
  say($("tile-findings-more"), more);
}

// What a run passes in spite of; the others fail it.
const isNote = (check) => check.advisory && check.verdict === "fail";
const wordOf = (check) => isNote(check) ? "note" : check.verdict;

function finding(check) {
  const button = element("button", { "aria-pressed": check.check === pointedAt, "data-check": check.check }, "Show evidence");
  button.onclick = () => {
    pointedAt = pointedAt === check.check ? null : check.check;
    redraw();
    document.querySelector(".evidence")?.scrollIntoView({ block: "center" });
  };
  return element("div", { class: `finding ${wordOf(check)}` },
    element("p", {}, element("b", {}, isNote(check) ? `note ${check.check}` : check.check), ` ${check.title}`),
    element("p", {}, `Seen: ${check.observed}`), element("p", { class: "dim" }, `Allowed: ${check.limit}`),
    ...(check.lines.length ? [button] : []));
}

let findingsBefore = "";

function showFindings(report) {
  const judged = report.checks.filter((check) => check.verdict !== "skipped");
  const looks = JSON.stringify([judged, pointedAt]);
  if (looks === findingsBefore) return;
  findingsBefore = looks;
  const of = (word) => judged.filter((check) => wordOf(check) === word);
  const [failed, notes, passed, open] = [of("fail"), of("note"), of("pass"), of("inconclusive")];
  // Checks that are open say nothing by themselves.
  const isJudged = passed.length + failed.length + notes.length > 0;
  const rest = [failed.length ? `${failed.length} ${failed.length === 1 ? "does" : "do"} not` : "", notes.length ? plural(notes.length, "note") : "", open.length ? `${open.length} inconclusive` : ""].filter(Boolean);
  say($("verdicts"), isJudged ? [`${plural(passed.length, "check")} ${passed.length === 1 ? "holds" : "hold"}`, ...rest].join(", ") : "Nothing to judge yet.");
  tile(isJudged ? `${failed.length}` : "–", isJudged ? [`${passed.length} ${passed.length === 1 ? "holds" : "hold"}`, ...rest].join(", ") : "nothing to judge yet", failed.length > 0);
  const focused = document.activeElement?.dataset.check;
  $("findings").replaceChildren(...[...failed, ...notes].map(finding));
  if (focused) document.querySelector(`[data-check="${focused}"]`)?.focus({ preventScroll: true });
  $("checks").replaceChildren(...judged.map((check) => element("tr", {},
    element("td", { class: wordOf(check) }, wordOf(check)), element("td", {}, check.check),
    element("td", {}, check.title), element("td", { class: "dim" }, check.observed))));
}
