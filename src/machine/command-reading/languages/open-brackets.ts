/**
 * Whether the pattern may end inside `[…]`, where some programs take a delimiter as an ordinary character. Programs also
 * disagree on whether a backslash escapes there, so both cases are checked.
 */
export function mayEndInBrackets(pattern: string): boolean {
  return endsInBrackets(pattern, true) || endsInBrackets(pattern, false);
}

function endsInBrackets(pattern: string, backslashEscapes: boolean): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "[") {
      const end = bracketEnd(pattern, at, backslashEscapes);
      if (end === -1) return true;
      at = end;
    }
  }
  return false;
}

function bracketEnd(pattern: string, start: number, backslashEscapes: boolean): number {
  let at = start + 1;
  if (pattern[at] === "^") at += 1;
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    const next = pattern[at + 1] ?? "";
    if (character === "]") return at;
    if (character === "\\" && backslashEscapes) at += 1;
    else if (character === "[" && next !== "" && ":.=".includes(next)) {
      const end = pattern.indexOf(`${next}]`, at + 2);
      if (end === -1) return -1;
      at = end + 1;
    }
  }
  return -1;
}
