/** Charts over time as SVG, from plain data and without a library.
 *
 * A frame says what time a chart covers: `starts` of bins in seconds since 1970, their `width`, the
 * end `to`, `marks` of changes as {at, text}, and `pixels`, the width of the place that it is for.
 * Rows have one value per bin; null is a gap. Looks are in charts.css.
 */

export const COLOURS = 8;
const HEIGHT = { tall: 210, low: 130 };
const EDGE = { left: 44, right: 8, top: 12, bottom: 20 };
const DRAWN = ["svg", "g", "path", "line", "text", "rect", "title"];
const MOST_GAP = 5.5; // bins without values that a curve does not bridge

/** Return an element; the names of SVG make one of SVG. */
export function element(name, attributes = {}, ...children) {
  const made = DRAWN.includes(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const percent = (x) =>
  x === null ? "–" : `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;
export const number = (x) =>
  x === null || x === undefined ? "–" : Number(x.toPrecision(3)).toLocaleString("en");
export const whole = (x) => x.toLocaleString("en");

/** Return a time as short as bins of a width in seconds allow. */
export function when(at, width) {
  const date = new Date(1000 * at);
  if (width >= 14400) return date.toLocaleDateString("en", { month: "short", day: "numeric" });
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return date.toLocaleTimeString("en", width < 30 ? { ...clock, second: "2-digit" } : clock);
}

/** Return the least round number that is not below x. */
export function nice(x) {
  if (!(x > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= x * (1 - 1e-9)) * unit;
}

/** The plane of a chart: from values to places, and the horizontal grid. */
class Plane {
  constructor(pixels, top, label, low) {
    this.width = Math.max(pixels, 240);
    this.height = low ? HEIGHT.low : HEIGHT.tall;
    this.top = top || 1;
    const box = `0 0 ${this.width} ${this.height}`;
    this.svg = element("svg", { viewBox: box, role: "img", "aria-label": label, class: "chart" });
  }

  get room() {
    return this.width - EDGE.left - EDGE.right;
  }

  y(value) {
    const room = this.height - EDGE.top - EDGE.bottom;
    return EDGE.top + room * (1 - Math.min(Math.max(value / this.top, 0), 1));
  }

  grid(parts, format) {
    for (const part of parts) {
      const y = this.y(part * this.top);
      const line = { class: "grid", x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y };
      const place = { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" };
      this.svg.append(element("line", line), element("text", place, format(part * this.top)));
    }
  }

  below(x, anchor, text) {
    const place = { x, y: this.height - 4, "text-anchor": anchor };
    this.svg.append(element("text", place, text));
  }
}

/** A plane whose horizontal axis is time. */
class TimePlane extends Plane {
  constructor(frame, top, label, format, low = false) {
    super(frame.pixels, top, label, low);
    this.frame = frame;
    const { starts, width, to } = frame;
    this.from = starts.length ? Math.min(starts[0], to - 10 * width) : to - 60;
    this.grid([0, 0.5, 1], format);
    const ticks = this.width > 420 ? 4 : 2;
    for (let tick = 0; tick <= ticks; tick++) {
      const time = this.from + (tick / ticks) * (to - this.from);
      const anchor = tick === 0 ? "start" : tick === ticks ? "end" : "middle";
      this.below(this.x(time), anchor, when(time, width));
    }
  }

  x(time) {
    const share = (time - this.from) / (this.frame.to - this.from);
    return EDGE.left + Math.min(Math.max(share, 0), 1) * this.room;
  }

  /** Return the runs of bins in which all of these rows have a value. */
  runs(...rows) {
    const { starts, width } = this.frame, runs = [];
    let run = [];
    const end = () => { if (run.length) runs.push(run); run = []; };
    starts.forEach((start, place) => {
      const whole = rows.every((row) => row[place] !== null);
      if (!whole || start - starts[run.at(-1)] > MOST_GAP * width) end();
      if (whole) run.push(place);
    });
    end();
    return runs;
  }

  /** A value stands at the end of its bin; the last bin ends now. */
  points(run, row) {
    const { starts, width, to } = this.frame;
    return run.map((place) => {
      const x = this.x(Math.min(starts[place] + width, to));
      return `${x.toFixed(1)} ${this.y(row[place]).toFixed(1)}`;
    });
  }

  area(low, high, kind) {
    for (const run of this.runs(low, high)) {
      const [up, down] = [this.points(run, high), this.points(run, low).reverse()];
      const path = { class: kind, d: `M${up.join("L")}L${down.join("L")}Z` };
      this.svg.append(element("path", path));
    }
  }

  curve(row, kind) {
    for (const run of this.runs(row)) {
      const path = { class: `curve ${kind}`, d: `M${this.points(run, row).join("L")}` };
      this.svg.append(element("path", path));
    }
  }

  marked() {
    for (const { at, text } of this.frame.marks) {
      if (at < this.from) continue;
      const x = this.x(at), line = { x1: x, x2: x, y1: EDGE.top, y2: this.height - EDGE.bottom };
      const flag = `M${x - 5} ${EDGE.top - 9}H${x + 5}L${x} ${EDGE.top}Z`;
      const parts = [element("line", { class: "mark", ...line }), element("path", { class: "flag", d: flag })];
      this.svg.append(element("g", { class: "found" }, element("title", {}, text), ...parts));
    }
    return this.svg;
  }
}

/** Return a chart of shares: one area per row, one above the other. */
export function stacked(frame, rows, label) {
  const plane = new TimePlane(frame, 1, label, (x) => `${100 * x} %`);
  let floor = frame.starts.map(() => 0);
  rows.forEach((row, place) => {
    const high = row.map((share, bin) => (share === null ? null : floor[bin] + share));
    const low = high.map((top, bin) => (top === null ? null : floor[bin]));
    plane.area(low, high, `area f${place % COLOURS}`);
    floor = high.map((top) => top ?? 0);
  });
  return plane.marked();
}

/** Return a chart of curves {values, low, high}; low and high, if they are there, make a band. */
export function curves(frame, rows, label, low = false) {
  const known = rows.flatMap((row) => row.values).filter((value) => value !== null);
  const plane = new TimePlane(frame, nice(1.2 * Math.max(...known, 0)), label, number, low);
  rows.forEach((row, place) => {
    if (row.low) plane.area(row.low, row.high, `band f${place % COLOURS}`);
  });
  rows.forEach((row, place) => plane.curve(row.values, `s${place % COLOURS}`));
  return plane.marked();
}

/** Return a chart of bars {name, count}. */
export function bars(pixels, items, label) {
  const plane = new Plane(pixels, nice(Math.max(...items.map((each) => each.count))), label, true);
  const step = plane.room / items.length;
  plane.grid([0, 1], number);
  items.forEach(({ name, count }, place) => {
    const x = EDGE.left + place * step, y = plane.y(count), height = plane.y(0) - y;
    const box = { class: "area f0", x: x + 0.15 * step, y, width: 0.7 * step, height };
    const above = { x: x + step / 2, y: y - 3, "text-anchor": "middle" };
    plane.svg.append(element("rect", box), element("text", above, count ? whole(count) : ""));
    plane.below(x + step / 2, "middle", name);
  });
  return plane.svg;
}
