// The chart: rates of both directions with their ceiling, what waits, and faults and actions over it.

// Points at most: when they are full, each two neighbours become one.
const pointLimit = 1600;
const left = 62;
const top = 20;
const axis = 18;

// Rates since the first sample, in points that grow coarser as the run grows longer.
export class History {
  points = [];
  before = null;
  // Bytes leave in bursts: a rate over less time than this is none.
  static least = 0.9;
  #each = 1;
  #gathered = [];

  take(sample) {
    const { before } = this;
    const time = before ? (sample.elapsedMilliseconds - before.elapsedMilliseconds) / 1000 : 0;
    if (before && time < History.least) return;
    this.before = sample;
    if (!before) return;
    this.#gathered.push({
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

  get last() { return this.#gathered.at(-1) ?? this.points.at(-1); }
}

function mean(points) {
  if (points.length === 1) return points[0];
  const sum = { ...points.at(-1) };
  for (const key of ["down", "up", "queueDown", "queueUp"]) {
    sum[key] = points.reduce((all, point) => all + point[key], 0) / points.length;
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

// What is shown: `points`, `marks` ({at, kind, words}), `ceilings` ({down, up} in bytes a second), `from`, `to`,
// and how amounts are written.
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
    const rates = { top, bottom: queueTop - 12, keys: ["down", "up"], words: view.rate, ceilings: view.ceilings };
    const queues = { top: queueTop + 4, bottom: height - axis, keys: ["queueDown", "queueUp"], words: view.bytes, ceilings: {} };
    const points = view.points.filter((point) => point.at >= view.from && point.at <= view.to);
    this.#times(context, width, height);
    for (const zone of [rates, queues]) this.#zone(context, width, zone, points);
    context.fillStyle = colour("--dim");
    context.fillText("waiting", left + 4, queueTop + 2);
    for (const mark of this.#marks()) this.#mark(context, mark, height - axis);
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
    const parts = width < 420 ? 2 : 4;
    for (let part = 0; part <= parts; part += 1) {
      const at = from + (to - from) * part / parts;
      context.textAlign = part === 0 ? "left" : part === parts ? "right" : "center";
      context.fillText(clock(at), this.#x(at), height - axis / 2 + 1);
    }
    context.textAlign = "left";
  }

  #zone(context, width, zone, points) {
    const peak = Math.max(1, ...points.flatMap((point) => zone.keys.map((key) => point[key])));
    const ceilings = Object.entries(zone.ceilings).filter(([, value]) => Number.isFinite(value));
    const most = Math.max(peak, ...ceilings.map(([, value]) => value)) * 1.08;
    const y = (value) => zone.bottom - (zone.bottom - zone.top) * value / most;
    context.lineWidth = 1;
    context.strokeStyle = colour("--line");
    context.fillStyle = colour("--dim");
    for (const part of zone.bottom - zone.top > 80 ? [0, 0.5, 1] : [0, 1]) {
      const line = Math.round(y(most * part)) + 0.5;
      context.beginPath(); context.moveTo(left, line); context.lineTo(width - 6, line); context.stroke();
      context.fillText(zone.words(most * part), 0, line);
    }
    for (const [key, value] of ceilings) this.#ceiling(context, width, y(value), key, zone.words(value));
    zone.keys.forEach((key, index) => this.#line(context, points, key, y, index));
  }

  #ceiling(context, width, y, key, words) {
    context.strokeStyle = colour(`--${key}`);
    context.setLineDash([2, 4]);
    context.beginPath(); context.moveTo(left, y); context.lineTo(width - 6, y); context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour(`--${key}`);
    context.fillText(`ceiling ${key} ${words}`, left + 6, y + 8);
  }

  #line(context, points, key, y, index) {
    context.strokeStyle = colour(index ? "--up" : "--down");
    context.setLineDash(index ? [5, 3] : []);
    context.lineWidth = 1.75;
    context.beginPath();
    for (const point of points) context.lineTo(this.#x(point.at), y(point[key]));
    context.stroke();
    if (!index && points.length > 1) {
      context.globalAlpha = 0.12;
      context.fillStyle = colour("--down");
      context.lineTo(this.#x(points.at(-1).at), y(0));
      context.lineTo(this.#x(points[0].at), y(0));
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
    const near = points.reduce((best, point) => !best || Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best, null);
    const marks = this.#marks().filter((mark) => Math.abs(this.#x(mark.at) - this.#pointer) < 7).slice(0, 6);
    const lines = [];
    if (near) lines.push(`${clock(near.at)}: ↓ ${rate(near.down)}, ↑ ${rate(near.up)}, ${bytes(near.queueDown + near.queueUp)} waiting`);
    lines.push(...marks.map((mark) => `${mark.kind === "fault" ? "✕" : "◆"} ${clock(mark.at)} ${mark.words}`));
    this.#tip.textContent = lines.join("\n");
    this.#tip.hidden = !lines.length;
    this.#tip.style.left = `${Math.max(0, Math.min(this.#pointer + 12, width - this.#tip.offsetWidth))}px`;
  }
}
