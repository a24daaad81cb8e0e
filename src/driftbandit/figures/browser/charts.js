/** Charts over time as SVG, from plain data and without a library.
 *
 * A frame says what time a chart covers: `starts` of bins in seconds since 1970, their `width`, the
 * end `to`, `marks` of changes as {at, text}, and `pixels`, the width of the place that it is for.
 * Rows have one value per bin; null is a gap. Looks are in charts.css. Optional are the `ends` of
 * bins of many widths, the time `zone`, the `format` of values, the `bottom` and `most` of the axis, and
 * `words`: a function from a bin to the lines to show when the pointer is there.
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
export function when(at, width, timeZone) {
  const date = new Date(1000 * at), day = { month: "short", day: "numeric", timeZone };
  if (width >= 14400) return date.toLocaleDateString("en", day);
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
  return date.toLocaleTimeString("en", width < 30 ? { ...clock, second: "2-digit" } : clock);
}

/** Return the least round number that is not below x. */
export function nice(x) {
  if (!(x > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= x * (1 - 1e-9)) * unit;
}

const tip = element("div", { class: "tip", role: "status" });

/** The plane of a chart: from values to places, and the horizontal grid. */
class Plane {
  constructor(pixels, top, label, low, bottom = 0) {
    this.bottom = bottom;
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
    return EDGE.top + room * (1 - Math.min(Math.max((value - this.bottom) / (this.top - this.bottom), 0), 1));
  }

  grid(parts, format) {
    for (const part of parts) {
      const value = this.bottom + part * (this.top - this.bottom), y = this.y(value);
      const line = { class: "grid", x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y };
      const place = { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" };
      this.svg.append(element("line", line), element("text", place, format(value)));
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
    super(frame.pixels, top, label, low, frame.bottom);
    this.frame = frame;
    const { starts, width, to, zone } = frame;
    this.from = starts.length ? Math.min(starts[0], to - 10 * width) : to - 60;
    this.grid([0, 0.5, 1], format);
    const ticks = this.width > 420 ? 4 : 2;
    for (let tick = 0; tick <= ticks; tick++) {
      const time = this.from + (tick / ticks) * (to - this.from);
      const anchor = tick === 0 ? "start" : tick === ticks ? "end" : "middle";
      this.below(this.x(time), anchor, when(time, width, zone));
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
  end(place) {
    const { starts, ends, width, to } = this.frame;
    return this.x(Math.min(ends ? ends[place] : starts[place] + width, to));
  }

  points(run, row) {
    return run.map((place) => `${this.end(place).toFixed(1)} ${this.y(row[place]).toFixed(1)}`);
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
    if (this.frame.words) this.listen();
    return this.svg;
  }

  /** Show words at the bin next to the pointer, or to the one that arrow keys go to. */
  listen() {
    const { starts, words } = this.frame, last = starts.length - 1;
    const across = { y1: EDGE.top, y2: this.height - EDGE.bottom, visibility: "hidden" };
    const line = element("line", { class: "here", ...across });
    let here = last;
    tip.remove(); // it may be that of a chart which this one replaces
    const hide = () => { tip.remove(); line.setAttribute("visibility", "hidden"); };
    const show = (place) => {
      here = Math.min(Math.max(place, 0), last);
      for (const end of ["x1", "x2"]) line.setAttribute(end, this.end(here));
      line.setAttribute("visibility", "visible");
      tip.replaceChildren(...words(here).map((text) => element("p", {}, text)));
      document.body.append(tip);
      const box = this.svg.getBoundingClientRect(), room = document.body.clientWidth - tip.offsetWidth;
      const x = box.left + (this.end(here) * box.width) / this.width - tip.offsetWidth / 2;
      tip.style.left = `${Math.min(Math.max(x, 0), Math.max(room, 0))}px`;
      tip.style.top = `${window.scrollY + box.bottom - 6}px`;
    };
    const seek = (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) * this.width) / box.width;
      const away = starts.map((_, place) => Math.abs(this.end(place) - x));
      show(away.indexOf(Math.min(...away)));
    };
    for (const name of ["pointermove", "pointerdown"]) this.svg.addEventListener(name, seek);
    for (const name of ["pointerleave", "blur"]) this.svg.addEventListener(name, hide);
    this.svg.addEventListener("keydown", ({ key }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step) show(tip.isConnected ? here + step : here);
    });
    this.svg.setAttribute("tabindex", "0");
    this.svg.append(line);
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
  const highest = Math.max(...known, 0), most = frame.most ?? (highest <= 1 ? 1 : Infinity);
  const top = Math.min(nice(1.2 * highest), most); // shares and rates end at 1
  const plane = new TimePlane(frame, top, label, frame.format || number, low);
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
