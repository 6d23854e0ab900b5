import { defined } from "../../shared/options/defined.ts";
import type { DatabaseParameter, DatabaseValue, QueryRows } from "../../tool/services/databases.ts";

/** A whole number as JSON can hold it: JSON has no exact number beyond 2^53. */
export function encodeInteger(integer: bigint): DatabaseValue {
  const isExact = integer >= Number.MIN_SAFE_INTEGER && integer <= Number.MAX_SAFE_INTEGER;
  return isExact ? Number(integer) : { integer: String(integer) };
}

/** A real number as JSON can hold it: JSON has no infinity, no NaN and no -0. */
export function encodeReal(real: number): DatabaseValue {
  if (Number.isFinite(real) && !Object.is(real, -0)) return real;
  return { real: Object.is(real, -0) ? "-0" : String(real) };
}

export function encodeBytes(bytes: Uint8Array): DatabaseValue {
  return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") };
}

/** The value of a placeholder: bytes, or a whole number of any size, or a plain value. */
export function decodeParameter(
  parameter: DatabaseParameter,
): string | number | boolean | null | bigint | Uint8Array {
  if (typeof parameter !== "object" || parameter === null) return parameter;
  if ("integer" in parameter) return BigInt(parameter.integer);
  return Buffer.from(parameter.base64, "base64");
}

export interface RowLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Takes rows until one of the limits is reached, which `cutBy` then names. */
export function createRowCollector({ maxRows, maxBytes }: RowLimits) {
  const rows: (readonly DatabaseValue[])[] = [];
  let bytes = 0;
  let cutBy: QueryRows["cutBy"] | undefined;
  return {
    add(row: readonly DatabaseValue[]): void {
      if (cutBy !== undefined) return;
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (rows.length === maxRows) cutBy = "rows";
      else if (bytes > maxBytes) cutBy = "bytes";
      else rows.push(row);
    },
    /** Leaves out a row that is too long to be looked at. */
    leaveOut(): void {
      cutBy ??= "bytes";
    },
    taken: () => ({ rows, ...defined({ cutBy }) }),
    get cutBy() {
      return cutBy;
    },
  };
}
