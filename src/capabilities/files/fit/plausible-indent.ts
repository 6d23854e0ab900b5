import { indentOf } from "./indent-shift.ts";

/** Whether the indentation of inserted lines fits between the lines before and after them. */
export function isPlausible(
  { first, last }: { first: string; last: string },
  { before, after }: { before: string | undefined; after: string | undefined },
): boolean {
  if (before !== undefined && !mayFollow(before, first, after)) return false;
  return after === undefined || mayFollow(last, after, undefined);
}

/** Whether `follower` may come directly after `line`; `next` comes after both. */
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

/** Whether the line after it is indented deeper. */
function opensBlock(line: string): boolean {
  return /[{([:=]$|=>$|\b(?:then|do|else|begin)$/.test(line.trimEnd());
}

function closesBlock(line: string): boolean {
  return /^\s*(?:[})\]]|end\b)/.test(line);
}
