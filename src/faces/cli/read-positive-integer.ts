import { UsageError } from "./usage-error.ts";

/** The value of a flag that takes a whole number of at least 1. */
export function readPositiveInteger(flag: string, value: string): number;
export function readPositiveInteger(flag: string, value: string | undefined): number | undefined;
export function readPositiveInteger(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new UsageError(`${flag} must be a whole number of at least 1; received ${JSON.stringify(value)}`);
}
