import { indentOf } from "./indent-shift.ts";

/** Whether lines may well stand between two others, as far as their indentation tells. */
export function isPlausible(
  { first, last }: { first: string; last: string },
  { before, after }: { before: string | undefined; after: string | undefined },
): boolean {
  return followsOn(first, before, after) && leadsTo(last, after, before);
}

function followsOn(line: string, before: string | undefined, after: string | undefined): boolean {
  if (before === undefined) return after === undefined || isAsDeep(line, after);
  if (opensBlock(before))
    return (
      depth(line) > depth(before) &&
      (after === undefined || depth(after) <= depth(before) || isAsDeep(line, after))
    );
  return isAsDeep(line, before) || (after !== undefined && isBetween(line, before, after));
}

function leadsTo(line: string, after: string | undefined, before: string | undefined): boolean {
  if (after === undefined || before === undefined) return true;
  return depth(line) >= Math.min(depth(before), depth(after));
}

/** As deep as the second or, where the block of the first ends, as deep as something between them. */
function isBetween(line: string, before: string, after: string): boolean {
  return depth(line) <= depth(before) && depth(line) >= depth(after);
}

function isAsDeep(left: string, right: string): boolean {
  return indentOf(left) === indentOf(right);
}

function depth(line: string): number {
  return indentOf(line).length;
}

function opensBlock(line: string): boolean {
  return /[{([:]$|=>$|\b(?:then|do|else|begin)$/.test(line.trimEnd());
}
