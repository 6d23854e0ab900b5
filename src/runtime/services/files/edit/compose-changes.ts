import type { TextChange } from "./text-change.ts";

/** The changes of two steps as if they had been made in one; what touches becomes one change. */
export function composeChanges(first: readonly TextChange[], second: readonly TextChange[]): TextChange[] {
  const composed: TextChange[] = [];
  let firstIndex = 0;
  let secondIndex = 0;
  // How far a place in the middle text is behind the one before it, and ahead of the one after it.
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
