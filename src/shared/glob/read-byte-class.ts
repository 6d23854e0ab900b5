export type CharacterTest = (character: string) => boolean;

/** The class that begins at `start`, as git reads it; undefined if it is not closed or names an unknown kind. */
export function readByteClass(
  pattern: string,
  start: number,
): { readonly end: number; readonly test: CharacterTest } | undefined {
  let at = start + 1;
  const isNegated = pattern[at] === "!" || pattern[at] === "^";
  if (isNegated) at += 1;
  const members: CharacterTest[] = [];
  // What a range may begin with: the member before, unless that was a range or a kind.
  let previous: string | undefined;
  for (let isFirst = true; isFirst || pattern[at] !== "]"; at += 1) {
    isFirst = false;
    let member = pattern[at];
    if (member === "\\") {
      at += 1;
      member = pattern[at];
    } else if (
      member === "-" &&
      previous !== undefined &&
      at + 1 < pattern.length &&
      pattern[at + 1] !== "]"
    ) {
      at += pattern[at + 1] === "\\" ? 2 : 1;
      const [from, to] = [previous, pattern[at]];
      if (to === undefined) return undefined;
      members.push((character) => from <= character && character <= to);
      previous = undefined;
      continue;
    } else if (member === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close === -1) return undefined;
      if (close > at + 2 && pattern[close - 1] === ":") {
        const kind = kinds.get(pattern.slice(at + 2, close - 1));
        if (kind === undefined) return undefined;
        members.push((character) => kind.test(character));
        at = close;
        previous = undefined;
        continue;
      }
    }
    if (member === undefined) return undefined;
    const only = member;
    members.push((character) => character === only);
    previous = only;
  }
  return { end: at, test: (character) => members.some((isMember) => isMember(character)) !== isNegated };
}

/** The kinds of characters that a class may name, of ASCII only. */
const kinds: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /[\x00-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[\x21-\x7e]/],
  ["lower", /[a-z]/],
  ["print", /[\x20-\x7e]/],
  ["punct", /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/],
  ["space", /[\t-\r ]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);
