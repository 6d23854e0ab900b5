import { formatTable } from "./format-table.mjs";

/** One benchmark's tables and bars as text, and why some of it is missing. */
export function formatReport({ benchmark, tables, bars, leftOut }) {
  const sections = tables.map(({ title, rows }) => `${title}\n${formatTable(rows.map(formatRow))}`);
  const judged = bars.length > 0 ? [`Bars\n${formatTable(bars.map(formatBar))}`] : [];
  const missing = leftOut.length > 0 ? [`Left out: ${leftOut.join("; ")}`] : [];
  return [`== ${benchmark} ==`, ...sections, ...judged, ...missing].join("\n\n").concat("\n");
}

/** How many bars hold, and which are missed. */
export function formatSummary(bars, size) {
  if (size === "smallest") return "No bar is judged: figures of the smallest run mean nothing.";
  const missed = bars.filter(({ holds }) => !holds);
  const counted = `${bars.length - missed.length} of ${bars.length} bars hold`;
  return missed.length === 0 ? counted : `${counted}; missed:\n${formatTable(missed.map(formatBar))}`;
}

function formatRow({ name, unit, best, median, ratios = {} }) {
  const figures = { best: `${formatNumber(best)} ${unit}`, median: `${formatNumber(median)} ${unit}` };
  const compared = Object.entries(ratios).map(([to, ratio]) => [`× ${to}`, formatNumber(ratio)]);
  return { "": name, ...figures, ...Object.fromEntries(compared) };
}

function formatBar({ claim, value, limit, unit, holds }) {
  const mark = holds === undefined ? "not judged" : holds ? "holds" : "MISSED";
  return { "": claim, measured: `${formatNumber(value)} ${unit}`, bar: `≤ ${limit} ${unit}`, mark };
}

function formatNumber(value) {
  if (value === undefined) return "–";
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
