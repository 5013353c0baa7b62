// Elements without a word of HTML: what a record or a game says is only ever text.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `on` holds listeners, `text` its text; everything else is an attribute or, for
 * booleans, a property.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {any}
 */
export function el(tag, given = {}, ...children) {
  return fill(document.createElement(tag), given, children);
}

/** The same for SVG. @returns {any} */
export function svg(tag, given = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), given, children);
}

function fill(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "text") element.textContent = value;
    else if (typeof value === "boolean" && !name.startsWith("aria-")) element[name] = value;
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @returns {any} */
export const byId = (id) => document.getElementById(id);

/** A labelled control: the label is above it, and says what it is to a screen reader. */
export function labelled(text, control, hint = "") {
  return el("label", { class: "field" }, el("span", { text }), control, hint && el("small", { text: hint }));
}

/** A select; `options` are [value, text] pairs, or [group, pairs]. */
export function select(options, value, change, given = {}) {
  const made = el("select", { ...given, on: { change: () => change(made.value) } });
  for (const [first, second] of options) {
    if (Array.isArray(second)) {
      made.append(el("optgroup", { label: first }, ...second.map(([v, text]) => el("option", { value: v, text }))));
    } else made.append(el("option", { value: first, text: second }));
  }
  made.value = value;
  return made;
}

/** A button. */
export function button(text, click, given = {}) {
  return el("button", { type: "button", ...given, text, on: { click } });
}

/** Save a text as a file, without asking the server again. */
export function download(name, text, kind = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
