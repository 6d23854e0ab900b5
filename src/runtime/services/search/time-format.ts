/**
 * Writes times as ISO 8601. Most of the text is kept for the second: in a list by time many files follow that were
 * written in the same one, and a date takes longer to put into words than a file to be found.
 */
export function createTimeFormat(): (ms: number) => string {
  let lastSecond = Number.NaN;
  let lastText = "";
  return (ms) => {
    const known = Math.floor(Math.max(-maxDateMs, Math.min(ms, maxDateMs)));
    const second = Math.floor(known / 1000);
    if (second !== lastSecond) {
      lastSecond = second;
      lastText = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return `${lastText}${String(known - second * 1000).padStart(3, "0")}Z`;
  };
}

// A file system may know times that no date can tell.
const maxDateMs = 8.64e15;
