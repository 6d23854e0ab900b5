import { randomBytes } from "./crypto.ts";

/**
 * Makes a short random id with a prefix for the kind of thing: `call_mi0x2k9f3a9c1b7d2e`. It begins with the time, so
 * that ids made one after the other are close together in an index.
 */
export function newId(kind: string): string {
  return `${kind}_${timeText()}${randomText()}`;
}

let lastMs = 0;
let lastText = "";

/** Cached: many ids are made in the same millisecond, and converting to base 36 is the slowest part. */
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

/** Random bytes for many ids at once: asking the system for a few takes almost as long as for all of these. */
function randomText(): string {
  if (used === digits.length) {
    digits = randomBytes(supplyBytes).toString("hex");
    used = 0;
  }
  used += randomLength;
  return digits.slice(used - randomLength, used);
}

/**
 * The time as ISO 8601, later than every time this process was given before, so that entries sorted by it keep their
 * order.
 */
export function nextTime(): string {
  const now = Date.now();
  // A clock that was set back counts anew.
  const isClose = lastTimeMs - now < 1000;
  lastTimeMs = isClose ? Math.max(now, lastTimeMs + 1) : now;
  return new Date(lastTimeMs).toISOString();
}

let lastTimeMs = 0;
