import { indentOf } from "./indent-shift.ts";

/** Whether lines may well stand between two others, as far as their indentation tells. */
export function isPlausible(
  { first, last }: { first: string; last: string },
  { before, after }: { before: string | undefined; after: string | undefined },
): boolean {
  if (before !== undefined && !mayFollow(before, first, after)) return false;
  return after === undefined || mayFollow(last, after, undefined);
}

/** Whether the line may come right after the other; `next` is what comes after both. */
function mayFollow(line: string, follower: string, next: string | undefined): boolean {
  const [depth, followerDepth] = [depthOf(line), depthOf(follower)];
  if (opensBlock(line)) {
    if (closesBlock(follower)) return followerDepth === depth;
    return (
      followerDepth > depth &&
      (next === undefined || depthOf(next) <= depth || depthOf(next) >= followerDepth)
    );
  }
  if (closesBlock(follower)) return followerDepth < depth;
  return followerDepth <= depth;
}

function depthOf(line: string): number {
  return indentOf(line).length;
}

/** What comes after it is indented deeper. */
function opensBlock(line: string): boolean {
  return /[{([:=]$|=>$|\b(?:then|do|else|begin)$/.test(line.trimEnd());
}

function closesBlock(line: string): boolean {
  return /^\s*(?:[})\]]|end\b)/.test(line);
}
