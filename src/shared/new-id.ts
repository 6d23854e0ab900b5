import { randomBytes } from "./crypto.ts";

/**
 * A short random id that says what it belongs to: `call_mi0x2k9f3a9c1b7d2e`. It begins with the time, so that ids
 * made one after the other lie side by side in an index instead of all over it.
 */
export function newId(kind: string): string {
  return `${kind}_${timeText()}${randomText()}`;
}

let lastMs = 0;
let lastText = "";

/** Every call has an id: many fall into the same millisecond, and writing a number to base 36 takes longer than the rest. */
function timeText(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = now.toString(36);
  }
  return lastText;
}

const randomLength = 12;
const supplyBytes = (randomLength / 2) * 128;
let digits = "";
let used = 0;

/** Drawn for many ids at once: asking the system for a few digits takes hardly less time than for all of these. */
function randomText(): string {
  if (used === digits.length) {
    digits = randomBytes(supplyBytes).toString("hex");
    used = 0;
  }
  used += randomLength;
  return digits.slice(used - randomLength, used);
}
