import type { DialectParam } from "./dialect.ts";

/** Converts a number to the dialect's unit and counting, and a word to the dialect's; other values stay as they are. */
export function toDialectValue(value: unknown, param: DialectParam): unknown {
  const { countsFrom = 1, unit, words, isNegated } = param;
  if (typeof value === "boolean") return isNegated ? !value : value;
  if (typeof value === "string" && words !== undefined)
    return Object.hasOwn(words, value) ? words[value] : value;
  if (typeof value !== "number") return value;
  const recounted = value + (countsFrom - 1);
  return unit === "seconds" ? shiftDecimalPoint(recounted, -3) : recounted;
}

export function toCanonicalValue(value: unknown, param: DialectParam): unknown {
  const { countsFrom = 1, unit, words, isNegated } = param;
  if (typeof value === "boolean") return isNegated ? !value : value;
  if (typeof value === "string" && words !== undefined)
    return Object.keys(words).find((word) => words[word] === value) ?? value;
  if (typeof value !== "number") return value;
  const scaled = unit === "seconds" ? shiftDecimalPoint(value, 3) : value;
  return scaled - (countsFrom - 1);
}

/** Multiplying would give 1.001 s = 1000.9999999999999 ms; moving the decimal point in the digits is exact. */
function shiftDecimalPoint(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}
