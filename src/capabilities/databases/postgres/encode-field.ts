import type { DatabaseValue } from "../../../tool/services/databases.ts";
import { encodeInteger, encodeReal } from "../encode-value.ts";

/** The text that the server gives for a value, as JSON has it without loss. */
export function encodeField(text: string | null, type: number): DatabaseValue {
  if (text === null) return null;
  switch (type) {
    case types.bool:
      return text === "t";
    case types.int2:
    case types.int4:
    case types.oid:
    case types.int8:
      return encodeInteger(BigInt(text));
    case types.float4:
    case types.float8:
      return encodeReal(Number(text));
    case types.bytea:
      return { base64: Buffer.from(text.slice(2), "hex").toString("base64") };
    default:
      return text;
  }
}

/** Object ids that never change. */
const types = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  float4: 700,
  float8: 701,
} as const;
