import type { DialectParam } from "./dialect.ts";

/** Converts a number to the dialect's unit and counting; other values stay as they are. */
export function toDialectNumber(value: unknown, { countsFrom = 1, unit }: DialectParam): unknown {
  if (typeof value !== "number") return value;
  const recounted = value + (countsFrom - 1);
  return unit === "seconds" ? shiftDecimalPoint(recounted, -3) : recounted;
}

export function toCanonicalNumber(value: unknown, { countsFrom = 1, unit }: DialectParam): unknown {
  if (typeof value !== "number") return value;
  const scaled = unit === "seconds" ? shiftDecimalPoint(value, 3) : value;
  return scaled - (countsFrom - 1);
}

/** Multiplying would give 1.001 s = 1000.9999999999999 ms; moving the decimal point in the digits is exact. */
function shiftDecimalPoint(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}
