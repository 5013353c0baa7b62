// A tree of any size: only what is open is asked for, and at most 200 nodes are in the document.

import { button, el } from "./dom.js";
import { app } from "./main.js";
import { percent, short } from "./numbers.js";
import { t } from "./words.js";

const TOP = 8; // children of a node
const PAUSE = 1000; // milliseconds between two looks at a search that runs

export class TreeView {
  constructor(slot) {
    this.slot = slot;
    this.open = new Map([["", []]]); // the lines of moves whose nodes are open, by their text
    this.looked = 0;
    this.list = el("ul", { class: "tree", "aria-label": t("tree_of") });
    this.box = el("details", { id: "tree" + slot, on: { toggle: () => this.look() } }, el("summary", { text: t("tree_of") }), this.list);
  }

  /** Look again, now and then, while the search runs; and once when it has ended. */
  refresh(running) {
    if (this.box.open && (!running || performance.now() - this.looked > PAUSE)) this.look();
  }

  async look() {
    if (!this.box.open) return;
    this.looked = performance.now();
    try {
      const { nodes } = await app.line.ask("tree", { slot: this.slot, paths: [...this.open.values()], top: TOP });
      const known = new Map(nodes.map((node) => [node.path.join(), node]));
      const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.path : null;
      this.left = app.state.how2 ? 100 : 200;
      this.list.replaceChildren(...this.items(known, []));
      if (focused) this.list.querySelector(`[data-path="${focused}"]`)?.focus();
    } catch { /* the search has ended */ }
  }

  items(known, path) {
    const node = known.get(path.join());
    const made = [];
    for (const row of node?.children ?? []) {
      if (this.left <= 0 || !row[2]) break;
      this.left -= 1;
      made.push(this.item(known, [...path, row[0]], row));
    }
    return made;
  }

  item(known, path, [, name, visits, mean, , , amaf]) {
    const key = path.join();
    const isOpen = this.open.has(key);
    const text = `${name} · ${short(visits)} · ${percent(mean)} %` + (amaf === null ? "" : ` · AMAF ${percent(amaf)} %`);
    const made = el("li", {}, button(`${isOpen ? "▾" : "▸"} ${text}`, () => this.toggle(key, path), { "data-path": key, "aria-expanded": String(isOpen), "aria-label": `${text}. ${t("open_tree", { move: name })}` }));
    if (isOpen) made.append(el("ul", { class: "tree" }, ...this.items(known, path)));
    return made;
  }

  toggle(key, path) {
    if (this.open.has(key)) {
      for (const other of [...this.open.keys()]) if (other === key || other.startsWith(key + ",")) this.open.delete(other);
    } else if (this.open.size < 25) this.open.set(key, path);
    this.look();
  }
}
