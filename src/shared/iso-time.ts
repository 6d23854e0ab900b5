let lastMs = 0;
let lastText = "";

/** The time as ISO 8601. Cached for the millisecond, because a busy runtime asks many times in each. */
export function isoTime(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
