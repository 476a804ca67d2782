// The chart: rates of both directions with their ceiling, what waits, and faults and actions over it.

// Points at most: when they are full, each two neighbours become one.
const pointLimit = 1600;
const ceilingLimit = 1000;
const left = 72;
const top = 20;
const axis = 18;

// Rates since the run began, in points that grow coarser as it grows longer; each holds from `from` to `at`.
export class History {
  points = [];
  // The rates' ceilings as steps, the oldest first: {at, down, up} in bytes a second, no end for none.
  ceilings = [];
  // Nothing has passed when a run begins.
  before = { elapsedMilliseconds: 0, bytesDown: 0, bytesUp: 0 };
  // Bytes leave in bursts: a rate over less time than this is none.
  static least = 0.9;
  #each = 1;
  #gathered = [];

  take(sample) {
    const { before } = this;
    const time = (sample.elapsedMilliseconds - before.elapsedMilliseconds) / 1000;
    if (time < History.least) return;
    this.before = sample;
    this.#gathered.push({
      from: before.elapsedMilliseconds,
      at: sample.elapsedMilliseconds,
      down: Math.max(0, sample.bytesDown - before.bytesDown) / time,
      up: Math.max(0, sample.bytesUp - before.bytesUp) / time,
      queueDown: sample.queuedBytesDown,
      queueUp: sample.queuedBytesUp,
    });
    if (this.#gathered.length < this.#each) return;
    this.points.push(mean(this.#gathered));
    this.#gathered = [];
    if (this.points.length < pointLimit) return;
    this.#each *= 2;
    this.points = this.points.flatMap((point, place, all) => place % 2 ? [mean([all[place - 1], point])] : []);
  }

  // Takes the ceilings of a moment, in bits a second; null is none.
  takeCeilings(at, down, up) {
    const bytes = (bits) => bits === null || bits === undefined ? Infinity : bits / 8;
    const [now, last] = [{ at, down: bytes(down), up: bytes(up) }, this.ceilings.at(-1)];
    if (last && last.down === now.down && last.up === now.up) return;
    this.ceilings.push(now);
    if (this.ceilings.length > ceilingLimit) this.ceilings.shift();
  }

  get last() { return this.#gathered.at(-1) ?? this.points.at(-1); }

  // Over three seconds: what had to wait for a lost packet is delivered with it, all at once.
  get recent() {
    const points = [...this.points.slice(-3), ...this.#gathered].slice(-3);
    return points.length ? mean(points) : undefined;
  }
}

function mean(points) {
  if (points.length === 1) return points[0];
  const sum = { ...points.at(-1), from: points[0].from };
  for (const key of ["down", "up", "queueDown", "queueUp"]) {
    sum[key] = points.reduce((all, point) => all + point[key] * (point.at - point.from), 0) / (sum.at - sum.from);
  }
  return sum;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function surface(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui,sans-serif";
  context.textBaseline = "middle";
  return { context, width, height };
}

const clock = (milliseconds) => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

// The least round number that is no less than a value.
function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((one) => one * power >= value * 0.999999);
}

// Seconds between two labels of the time.
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const timeStep = (seconds) => seconds < 1 ? round(Math.max(0.001, seconds)) : timeSteps.find((one) => one >= seconds) ?? 3600 * Math.ceil(seconds / 3600);

// An amount without zeros that say nothing.
const short = (words) => words.replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");

// What is shown: `points` and `ceilings` of a history, `marks` ({at, kind, words}), `from`, `to`, and how amounts
// are written.
export class Chart {
  #canvas;
  #tip;
  #view = null;
  #pointer = null;

  constructor(canvas, tip) {
    this.#canvas = canvas;
    this.#tip = tip;
    canvas.addEventListener("pointermove", (event) => { this.#pointer = event.offsetX; this.#tell(); });
    canvas.addEventListener("pointerleave", () => { this.#pointer = null; tip.hidden = true; });
  }

  draw(view) {
    this.#view = view;
    const { context, width, height } = surface(this.#canvas);
    const queueTop = Math.round(height * 0.74);
    const rates = { top, bottom: queueTop - 12, keys: ["down", "up"], words: view.rate, unit: 8, parts: 4, least: 125, ceilings: this.#ceilings() };
    const queues = { top: queueTop + 4, bottom: height - axis, keys: ["queueDown", "queueUp"], words: view.bytes, unit: 1, parts: 1, least: 900, ceilings: [] };
    const points = view.points.filter((point) => point.at >= view.from && point.from <= view.to);
    this.#times(context, width, height);
    for (const zone of [rates, queues]) this.#zone(context, width, zone, points);
    context.fillStyle = colour("--dim");
    for (const mark of this.#marks()) this.#mark(context, mark, height - axis);
    this.#label(context, "waiting", left + 4, queueTop - 4, "--dim");
    this.#tell();
  }

  #x(at) {
    const { from, to } = this.#view;
    return left + (this.#canvas.clientWidth - left - 6) * (at - from) / Math.max(1, to - from);
  }

  #marks() { return this.#view.marks.filter((mark) => mark.at >= this.#view.from && mark.at <= this.#view.to); }

  #times(context, width, height) {
    const { from, to } = this.#view;
    context.fillStyle = colour("--dim");
    context.strokeStyle = colour("--line");
    context.lineWidth = 1;
    const step = timeStep((to - from) / 1000 / (width < 420 ? 3 : 6)) * 1000;
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const x = Math.round(this.#x(at)) + 0.5;
      context.beginPath(); context.moveTo(x, height - axis); context.lineTo(x, height - axis + 4); context.stroke();
      const words = step < 1000 ? `${Number((at / 1000).toFixed(3))} s` : clock(at);
      const half = context.measureText(words).width / 2;
      context.fillText(words, Math.min(x - half, width - 2 * half), height - axis / 2 + 2);
    }
  }

  // Words that stay readable over lines.
  #label(context, words, x, y, name) {
    context.strokeStyle = colour("--bg");
    context.lineWidth = 3;
    context.setLineDash([]);
    context.strokeText(words, x, y);
    context.fillStyle = colour(name);
    context.fillText(words, x, y);
  }

  // The steps within what is shown, the first from its beginning on.
  #ceilings() {
    const { from, to, ceilings } = this.#view;
    const first = ceilings.findLastIndex((step) => step.at <= from);
    return ceilings.slice(Math.max(0, first)).filter((step) => step.at <= to).map((step) => ({ ...step, at: Math.max(from, step.at) }));
  }

  #zone(context, width, zone, points) {
    const peak = Math.max(zone.least, ...points.flatMap((point) => zone.keys.map((key) => point[key])));
    const ceilings = zone.ceilings.flatMap((step) => [step.down, step.up]).filter(Number.isFinite);
    const parts = zone.bottom - zone.top > 120 ? zone.parts : Math.min(zone.parts, 2);
    const step = round(Math.max(peak, ...ceilings) * 1.04 * zone.unit / parts) / zone.unit;
    const most = step * Math.max(1, Math.ceil(Math.max(peak, ...ceilings) * 1.04 / step));
    const y = (value) => zone.bottom - (zone.bottom - zone.top) * value / most;
    context.lineWidth = 1;
    context.strokeStyle = colour("--line");
    context.fillStyle = colour("--dim");
    context.textAlign = "right";
    for (let value = 0; value <= most * 1.0001; value += step) {
      const line = Math.round(y(value)) + 0.5;
      context.beginPath(); context.moveTo(left, line); context.lineTo(width - 6, line); context.stroke();
      context.fillText(short(zone.words(value)), left - 7, line);
    }
    context.textAlign = "left";
    context.save();
    context.beginPath(); context.rect(left, 0, width - 6 - left, zone.bottom + 1); context.clip();
    zone.keys.forEach((key, index) => this.#line(context, points, key, y, index));
    context.restore();
    this.#ceilingLines(context, width, zone, y);
  }

  #ceilingLines(context, width, zone, y) {
    for (const key of ["down", "up"]) {
      context.strokeStyle = colour(`--${key}`);
      context.lineWidth = 1;
      context.setLineDash([2, 4]);
      context.beginPath();
      zone.ceilings.forEach((step, index) => {
        if (!Number.isFinite(step[key])) return;
        const before = zone.ceilings[index - 1]?.[key];
        const x = this.#x(step.at);
        if (Number.isFinite(before)) context.moveTo(x, y(before)); else context.moveTo(x, y(step[key]));
        context.lineTo(x, y(step[key]));
        context.lineTo(index + 1 < zone.ceilings.length ? this.#x(zone.ceilings[index + 1].at) : width - 6, y(step[key]));
      });
      context.stroke();
      context.setLineDash([]);
    }
    // Labels show the current ceilings; where two are close, one goes above its line and one below.
    const now = zone.ceilings.at(-1) ?? {};
    const places = ["down", "up"].filter((key) => Number.isFinite(now[key])).toSorted((a, b) => now[b] - now[a]);
    places.forEach((key, place) => {
      const words = `ceiling ${key} ${short(zone.words(now[key]))}`;
      const isAbove = y(now[key]) - zone.top > 14 && place === 0;
      this.#label(context, words, width - 10 - context.measureText(words).width, y(now[key]) + (isAbove ? -8 : 8), `--${key}`);
    });
  }

  // A rate is one of a time, not of a moment, so each is a step.
  #line(context, points, key, y, index) {
    context.strokeStyle = colour(index ? "--up" : "--down");
    context.setLineDash(index ? [5, 3] : []);
    context.lineWidth = 1.75;
    context.beginPath();
    for (const point of points) {
      context.lineTo(this.#x(point.from), y(point[key]));
      context.lineTo(this.#x(point.at), y(point[key]));
    }
    context.stroke();
    if (!index && points.length) {
      context.globalAlpha = 0.12;
      context.fillStyle = colour("--down");
      context.lineTo(this.#x(points.at(-1).at), y(0));
      context.lineTo(this.#x(points[0].from), y(0));
      context.fill();
      context.globalAlpha = 1;
    }
    context.setLineDash([]);
  }

  #mark(context, mark, bottom) {
    const x = this.#x(mark.at);
    const isFault = mark.kind === "fault";
    context.strokeStyle = colour(isFault ? "--bad" : "--act");
    context.fillStyle = context.strokeStyle;
    context.globalAlpha = 0.45;
    context.lineWidth = 1;
    context.beginPath(); context.moveTo(x, top - 4); context.lineTo(x, bottom); context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.beginPath();
    if (isFault) {
      context.moveTo(x - 4, 4); context.lineTo(x + 4, 12); context.moveTo(x + 4, 4); context.lineTo(x - 4, 12);
      context.stroke();
    } else {
      context.moveTo(x, 2); context.lineTo(x + 5, 8); context.lineTo(x, 14); context.lineTo(x - 5, 8);
      context.fill();
    }
  }

  // Names what is under the pointer.
  #tell() {
    if (this.#pointer === null || !this.#view) return;
    const { from, to, points, rate, bytes } = this.#view;
    const width = this.#canvas.clientWidth;
    const at = from + (to - from) * (this.#pointer - left) / Math.max(1, width - left - 6);
    const near = points.find((point) => point.at >= at) ?? points.at(-1);
    const marks = this.#marks().filter((mark) => Math.abs(this.#x(mark.at) - this.#pointer) < 7).slice(0, 6);
    const lines = [];
    if (near) lines.push(`${clock(Math.min(at, near.at))}: ↓ ${rate(near.down)}, ↑ ${rate(near.up)}, ${bytes(near.queueDown + near.queueUp)} waiting`);
    lines.push(...marks.map((mark) => `${mark.kind === "fault" ? "✕" : "◆"} ${clock(mark.at)} ${mark.words}`));
    this.#tip.textContent = lines.join("\n");
    this.#tip.hidden = !lines.length;
    this.#tip.style.left = `${Math.max(0, Math.min(this.#pointer + 12, width - this.#tip.offsetWidth))}px`;
  }
}
