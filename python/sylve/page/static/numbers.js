// Numbers for people, and the colours of a heat map.

/** @param {number|null|undefined} value */
export const percent = (value, digits = 1) => (value === null || value === undefined ? "" : (100 * value).toFixed(digits));

/** 1,234,567 as 1.23 M; small numbers as they are. */
export function short(value) {
  if (value === null || value === undefined) return "";
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (value >= size) {
      const scaled = value / (letter === "k" ? 1e3 : size);
      return scaled.toPrecision(3) + "\u202f" + letter;
    }
  }
  return String(Math.round(value));
}

export function bytes(value) {
  if (!value) return "";
  return value >= 1 << 20 ? (value / (1 << 20)).toFixed(1) + "\u202fMiB" : Math.ceil(value / 1024) + "\u202fKiB";
}

// Viridis at nine points: its lightness grows steadily, so that it can be read without colours too.
const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

/** The colour of a value from 0 to 1. */
export function heatColour(value) {
  const at = Math.max(0, Math.min(1, value)) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mixed = VIRIDIS[low].map((part, k) => Math.round(part + (at - low) * (VIRIDIS[low + 1][k] - part)));
  return `rgb(${mixed.join(" ")})`;
}

/** Black or white, whichever can be read on the colour of a value. */
export const inkOn = (value) => (value > 0.55 ? "#111" : "#fff");

/** Values of moves scaled to 0..1, as the number asks; null stays. */
export function scaled(values, number) {
  if (number === "exact") {
    const known = values.filter((value) => value !== null);
    const low = Math.min(...known), high = Math.max(...known);
    return values.map((value) => (value === null ? null : high === low ? 1 : (value - low) / (high - low)));
  }
  if (number !== "visits" && number !== "exploration" && number !== "score") return values;
  const most = Math.max(1e-9, ...values.map((value) => value ?? 0));
  return values.map((value) => (value === null ? null : value / most));
}

/** A value of a move in a few characters, for the board. */
export function label(value, number, total) {
  if (value === null || value === undefined) return "";
  if (number === "exact") return value > 0 ? "+" + value : String(value);
  if (number === "visits") return total ? Math.round((100 * value) / total) + "%" : "";
  if (number === "exploration" || number === "score") return value.toFixed(2);
  return Math.round(100 * value).toString();
}
