// The board: the server's drawing, a layer of marks, and a grid of buttons above both.

import { el, svg, button } from "./dom.js";
import { heatColour, inkOn, label, scaled } from "./numbers.js";
import { t, colour } from "./words.js";

const LABELS = 12; // moves with a number on them: more would hide the board

export class Board {
  /** @param {HTMLElement} host @param {(name: string) => void} play */
  constructor(host, play) {
    this.host = host;
    this.play = play;
    this.picture = el("img", { class: "drawing", alt: "" });
    this.marks = svg("svg", { class: "marks", "aria-hidden": "true" });
    this.grid = el("table", { class: "cells", role: "grid" });
    this.others = el("div", { class: "others", role: "group" });
    this.frame = el("div", { class: "frame" }, this.picture, this.marks, this.grid);
    host.replaceChildren(this.frame, this.others);
    this.buttons = new Map();
    this.layout = "";
    this.view = null;
    this.chosen = null;
    this.focused = null;
    this.active = true;
    this.heat = null;
    this.rings = [];
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.others.addEventListener("keydown", (event) => this.otherKey(event));
  }

  /** Show a position; `active`: whether a person may play here. */
  show(view, active = true) {
    const changed = this.view?.svg !== view.svg;
    this.view = view;
    this.active = active;
    this.chosen = null;
    if (changed) {
      this.heat = null;
      this.rings = [];
      this.draw(view);
    }
    const layout = [view.game, view.width, view.cells.length, view.columns].join();
    if (layout !== this.layout) this.build(view, layout);
    this.marks.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
    this.refresh();
  }

  async draw(view) {
    const next = el("img", { class: "drawing", alt: "" });
    next.src = "data:image/svg+xml," + encodeURIComponent(view.svg);
    try {
      await next.decode(); // the old board stays until the new one can be shown
    } catch { /* shown anyway */ }
    if (this.view !== view && this.view.svg !== view.svg) return;
    this.picture.replaceWith(next);
    this.picture = next;
  }

  build(view, layout) {
    this.layout = layout;
    this.buttons.clear();
    this.rows = [];
    const rows = [];
    for (let at = 0; at < view.cells.length; at += view.columns) {
      const cells = view.cells.slice(at, at + view.columns);
      this.rows.push(cells.map((cell) => cell.cell));
      rows.push(el("tr", { role: "row" }, ...cells.map((cell) => {
        const made = el("button", { type: "button", tabindex: "-1", class: "cell " + view.shape, on: { click: () => this.press(cell.cell), focus: () => this.focusOn(cell.cell) } });
        this.buttons.set(cell.cell, made);
        return el("td", { role: "gridcell" }, made);
      })));
    }
    this.grid.replaceChildren(el("tbody", { role: "rowgroup" }, ...rows));
    this.grid.hidden = !rows.length;
    const middle = this.rows[Math.floor(this.rows.length / 2)] ?? [];
    this.focused = middle[Math.floor(middle.length / 2)] ?? null;
  }

  /** The moves that a cell stands for, given what is chosen. */
  movesAt(cell) {
    const moves = this.view.moves;
    if (this.view.by_column) return moves.filter((move) => move.to % this.view.columns === cell % this.view.columns);
    const direct = moves.filter((move) => move.from === null && move.to === cell);
    if (direct.length) return direct;
    if (this.chosen !== null) {
      const ends = moves.filter((move) => move.from === this.chosen && move.to === cell);
      if (ends.length) return ends;
    }
    return [];
  }

  refresh() {
    const { view } = this;
    this.grid.setAttribute("aria-label", t("board_of", { game: view.game }));
    for (const cell of view.cells) {
      const made = this.buttons.get(cell.cell);
      made.style.left = (100 * cell.x) / view.width + "%";
      made.style.top = (100 * cell.y) / view.height + "%";
      made.style.width = (100 * view.cell) / view.width + "%";
      made.tabIndex = cell.cell === this.focused ? 0 : -1;
      const ends = this.movesAt(cell.cell).length > 0;
      const starts = view.moves.some((move) => move.from === cell.cell);
      made.classList.toggle("legal", this.active && ends && (!view.by_column || view.moves.some((move) => move.to === cell.cell)));
      made.classList.toggle("movable", this.active && starts);
      made.classList.toggle("chosen", this.chosen === cell.cell);
      const what = cell.stone === null ? t("empty") : colour(view.players[cell.stone]);
      const can = !this.active ? "" : ends ? ", " + t("can_play") : starts ? ", " + t("can_move") : "";
      made.setAttribute("aria-label", `${cell.name}, ${what}${can}`);
      made.setAttribute("aria-disabled", String(!(this.active && (ends || starts))));
      if (this.chosen === cell.cell) made.setAttribute("aria-pressed", "true");
      else made.removeAttribute("aria-pressed");
    }
    const others = view.moves.filter((move) => move.to === null);
    this.others.hidden = !others.length || !this.active;
    this.others.setAttribute("aria-label", t("other_moves"));
    this.others.replaceChildren(...(this.active ? others : []).map((move, k) =>
      button(t("move_" + move.name) === "move_" + move.name ? move.name : t("move_" + move.name), () => this.play(move.name), { class: "other", "data-move": move.name, tabindex: k ? "-1" : "0" })));
    this.paint();
  }

  /** A cell was clicked, or Enter pressed on it. */
  press(cell) {
    if (!this.active || !this.view) return;
    this.focusOn(cell);
    const moves = this.movesAt(cell);
    if (moves.length === 1) return this.play(moves[0].name);
    if (moves.length > 1) return this.choose(moves);
    const starts = this.view.moves.some((move) => move.from === cell);
    this.chosen = starts && this.chosen !== cell ? cell : null;
    this.refresh();
  }

  /** Several moves between the same cells: a person says which. */
  choose(moves) {
    this.others.hidden = false;
    this.others.replaceChildren(...moves.map((move) => button(move.name, () => this.play(move.name), { class: "other", "data-move": move.name })));
    this.others.firstElementChild.focus();
  }

  focusOn(cell) {
    if (this.focused !== null) this.buttons.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = cell;
    this.buttons.get(cell).setAttribute("tabindex", "0");
  }

  key(event) {
    const row = this.rows.findIndex((cells) => cells.includes(this.focused));
    const column = this.rows[row]?.indexOf(this.focused) ?? 0;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    let next = null;
    if (event.key in steps) next = this.rows[row + steps[event.key][0]]?.[column + steps[event.key][1]];
    else if (event.key === "Home") next = (event.ctrlKey ? this.rows[0] : this.rows[row])[0];
    else if (event.key === "End") next = (event.ctrlKey ? this.rows.at(-1) : this.rows[row]).at(-1);
    else if (event.key === "Escape" && this.chosen !== null) {
      this.chosen = null;
      this.refresh();
      event.stopPropagation();
      return;
    } else return;
    event.preventDefault();
    if (next !== null && next !== undefined) {
      this.focusOn(next);
      this.buttons.get(next).focus();
    }
  }

  otherKey(event) {
    const all = [...this.others.children];
    const at = all.indexOf(document.activeElement);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : step ? at + step : -1;
    if (at < 0 || !all[next]) return;
    event.preventDefault();
    all[at].tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  }

  /** Colour the moves by numbers; null takes the colours away. */
  setHeat(heat) {
    this.heat = heat;
    this.paint();
  }

  /** Rings or arrows around moves, by name: [name, kind]. */
  setRings(rings) {
    this.rings = rings;
    this.paint();
  }

  paint() {
    const { view, marks } = this;
    if (!view) return;
    const place = new Map(view.cells.map((cell) => [cell.cell, cell]));
    const parts = [];
    this.frame.classList.toggle("hot", Boolean(this.heat));
    if (this.heat && this.heat.values.length === view.moves.length) {
      const { values, number, total } = this.heat;
      const shares = scaled(values, number);
      const order = values.map((_, k) => k).filter((k) => values[k] !== null && (number !== "visits" || values[k] > 0));
      order.sort((a, b) => shares[a] - shares[b]);
      const labelled = new Set(order.slice(-LABELS));
      for (const k of order) {
        const move = view.moves[k];
        if (move.to === null) continue;
        const end = place.get(move.to), start = move.from === null ? null : place.get(move.from);
        const fill = heatColour(shares[k]);
        const text = labelled.has(k) && (number !== "visits" || values[k] >= 0.01 * total) ? label(values[k], number, total) : "";
        if (start) parts.push(...arrow(start, end, view.cell, 0.05 + 0.12 * shares[k], fill, text, shares[k]));
        else parts.push(...spot(end, view.cell, fill, text, shares[k]));
      }
    }
    for (const [name, kind] of this.rings) {
      const cell = view.cells.find((one) => one.name === name); // the answer to a move is not legal yet
      const move = view.moves.find((one) => one.name === name) ?? { from: null, to: cell?.cell ?? null };
      if (move.to === null) continue;
      const end = place.get(move.to);
      if (move.from !== null) parts.push(...arrow(place.get(move.from), end, view.cell, 0.12, kind === "reply" ? "#b3541e" : "#c2185b", "", 0));
      else parts.push(ring(end, view.cell, kind));
    }
    marks.replaceChildren(...parts);
  }
}

function spot(at, size, fill, text, share) {
  const made = [svg("circle", { cx: at.x, cy: at.y, r: 0.37 * size, fill, "fill-opacity": 0.88 })];
  if (text) made.push(svg("text", { x: at.x, y: at.y + 0.11 * size, "font-size": 0.3 * size, fill: inkOn(share), "text-anchor": "middle", text }));
  return made;
}

function ring(at, size, kind) {
  return svg("circle", { cx: at.x, cy: at.y, r: 0.4 * size, fill: "none", class: "ring " + kind, "stroke-width": 0.08 * size });
}

function arrow(start, end, size, thick, fill, text, share) {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const [ux, uy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const half = (thick * size) / 2, head = (0.1 + thick) * size, wide = half + 0.08 * size;
  const far = length - 0.12 * size;
  const outline = [[0.28 * size, -half], [far - head, -half], [far - head, -wide], [far, 0], [far - head, wide], [far - head, half], [0.28 * size, half]];
  const points = outline.map(([a, b]) => [start.x + a * ux - b * uy, start.y + a * uy + b * ux].map((n) => n.toFixed(1)).join()).join(" ");
  const made = [svg("polygon", { points, fill, stroke: "#222", "stroke-width": 0.6 })];
  if (text) {
    const x = start.x + 0.62 * (end.x - start.x), y = start.y + 0.62 * (end.y - start.y);
    const box = 0.15 * size * text.length + 0.16 * size;
    made.push(svg("rect", { x: x - box / 2, y: y - 0.15 * size, width: box, height: 0.3 * size, rx: 0.08 * size, fill, stroke: "#222", "stroke-width": 0.5 }));
    made.push(svg("text", { x, y: y + 0.085 * size, "font-size": 0.24 * size, fill: inkOn(share), "text-anchor": "middle", text }));
  }
  return made;
}
