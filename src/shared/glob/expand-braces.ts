import { GlobError } from "./glob-error.ts";

// `{a,b}{a,b}{a,b}…` doubles with every pair; real patterns do not need more than this.
const maxAlternatives = 1000;

/** The patterns that `src/{a,b}.ts` stands for. Braces without a comma, or not closed, are literal. */
export function expandBraces(pattern: string): readonly string[] {
  const expanded: string[] = [];
  const pending = [{ done: "", rest: pattern }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { done, rest } = next;
    const group = findGroup(rest);
    if (group === undefined) expanded.push(done + rest);
    else {
      const { before, alternatives, after } = group;
      for (const each of alternatives) pending.push({ done: done + before, rest: each + after });
    }
    if (expanded.length + pending.length > maxAlternatives)
      throw new GlobError(`the braces expand to more than ${maxAlternatives} patterns`, {
        hint: "Use a wildcard, or search several times.",
      });
  }
  return expanded;
}

/** The first group with a comma, found in one pass even if many braces are never closed. */
function findGroup(pattern: string) {
  const open: { start: number; commas: number[] }[] = [];
  let found: { start: number; end: number; commas: number[] } | undefined;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === "\\") index += 1;
    else if (character === "{") open.push({ start: index, commas: [] });
    else if (character === ",") open.at(-1)?.commas.push(index);
    else if (character === "}") {
      const closed = open.pop();
      // The first one, or an outer one that contains it.
      const isFirst = closed !== undefined && (found === undefined || closed.start < found.start);
      if (isFirst && closed.commas.length > 0) found = { ...closed, end: index };
      if (found !== undefined && open.length === 0) break;
    }
  }
  if (found === undefined) return undefined;
  const { start, end, commas } = found;
  const bounds = [start, ...commas, end];
  return {
    before: pattern.slice(0, start),
    alternatives: bounds.slice(1).map((bound, index) => pattern.slice(bounds[index]! + 1, bound)),
    after: pattern.slice(end + 1),
  };
}
