// A curve in SVG: values from 0 to 1, from left to right.

import { svg } from "./dom.js";

/** `values` with gaps (null); `mark`: the place to point at; `click`: told the index. */
export function curve(values, { mark = null, click = null, label = "" } = {}) {
  const width = 300, height = 90;
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, k) => (value === null ? null : [k * step, height * (1 - value)])).filter(Boolean);
  const made = svg("svg", { class: "curve", viewBox: `-4 -4 ${width + 8} ${height + 8}`, role: "img", "aria-label": label },
    svg("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "middle" }),
    svg("polyline", { points: points.map((point) => point.map((n) => n.toFixed(1)).join()).join(" "), class: "line" }));
  if (mark !== null && values[mark] != null) made.append(svg("circle", { cx: mark * step, cy: height * (1 - values[mark]), r: 4, class: "mark" }));
  if (click) made.addEventListener("click", (event) => {
    const box = made.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * (width + 8) - 4;
    click(Math.max(0, Math.min(values.length - 1, Math.round(x / step))));
  });
  return made;
}
