import type { TextChange } from "./text-change.ts";

/** Combines the changes of two steps into those of one step; touching changes become one. */
export function composeChanges(first: readonly TextChange[], second: readonly TextChange[]): TextChange[] {
  const composed: TextChange[] = [];
  let firstIndex = 0;
  let secondIndex = 0;
  // What to add to an offset in the middle text to get the one in the first text, and in the last.
  let shiftBefore = 0;
  let shiftAfter = 0;
  while (firstIndex < first.length || secondIndex < second.length) {
    const middleStart = Math.min(
      first[firstIndex]?.newStart ?? Infinity,
      second[secondIndex]?.start ?? Infinity,
    );
    const start = middleStart + shiftBefore;
    const newStart = middleStart + shiftAfter;
    let middleEnd = middleStart;
    while (true) {
      const made = first[firstIndex];
      const changed = second[secondIndex];
      if (made !== undefined && made.newStart <= middleEnd) {
        middleEnd = Math.max(middleEnd, made.newEnd);
        shiftBefore = made.end - made.newEnd;
        firstIndex++;
      } else if (changed !== undefined && changed.start <= middleEnd) {
        middleEnd = Math.max(middleEnd, changed.end);
        shiftAfter = changed.newEnd - changed.end;
        secondIndex++;
      } else break;
    }
    composed.push({ start, end: middleEnd + shiftBefore, newStart, newEnd: middleEnd + shiftAfter });
  }
  return composed;
}
