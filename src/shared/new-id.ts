import { randomUUID } from "node:crypto";

/** A short random id that says what it belongs to: `call_9f3a…`. */
export function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
