import { type GlobToken, readTokens } from "../../../shared/glob/read-tokens.ts";

/**
 * The first part of a rule's pattern that we do not support or that other programs read differently, and what to write
 * instead. Such a rule is rejected: a deny rule that matches something else than intended protects nothing.
 */
export function findUnclear(pattern: string): string | undefined {
  if (pattern.startsWith("!")) {
    return "the ! at the start is not supported; list the paths you mean, or write \\! for the character itself";
  }
  const tokens = readTokens(pattern);
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    const problem = findProblem(token, {
      before: tokens[index - 1]?.text ?? "",
      after: tokens[index + 1]?.text ?? "",
      isInBraces: depth > 0,
    });
    if (problem !== undefined) return problem;
    if (token.text === "{") depth += 1;
    if (token.text === "}" && depth > 0) depth -= 1;
  }
  return depth > 0 ? "a { is not closed; write \\{ for the character itself" : undefined;
}

interface Place {
  readonly before: string;
  readonly after: string;
  readonly isInBraces: boolean;
}

type ClassToken = Extract<GlobToken, { kind: "class" }>;

function findProblem(token: GlobToken, place: Place): string | undefined {
  switch (token.kind) {
    case "character":
      return findInCharacter(token.text, place);
    case "escape":
      return findInEscape(token.text, place);
    case "stars":
      return findInStars(token.text, place);
    case "class":
      return findInClass(token, place);
    case "one":
      return undefined;
  }
}

function findInCharacter(text: string, { before, after, isInBraces }: Place): string | undefined {
  if (text === '"') return 'the " is not supported; write \\" for the character itself';
  if ("()|".includes(text)) {
    return `${text} is not supported; write {a,b} for alternatives, or \\${text} for the character itself`;
  }
  if (text === "[") return "a [ is not closed; write \\[ for the character itself";
  if (text === "\\") return endingBackslash;
  if (text === "\0") return "there is a NUL character, which no file name can contain";
  if (text === "+" && /[\]{}]$/.test(before)) {
    return "the + after a bracket or brace is not supported; write \\+ for the character itself";
  }
  return isInBraces ? findDots(text, after) : undefined;
}

const endingBackslash = "a \\ at the end of a name is not supported; write [\\\\] for the character itself";

function findDots(text: string, after: string): string | undefined {
  if (!text.endsWith(".") || !/^\\?\./.test(after)) return undefined;
  return "the .. in braces is not supported; list the alternatives, as in {1,2,3}";
}

function findInEscape(text: string, { after, isInBraces }: Place): string | undefined {
  if (text === "\\/") return endingBackslash;
  if (/[A-Za-z0-9\\]$/.test(text)) {
    return `${text} is not supported; write / between folders, and [\\\\] for a backslash itself`;
  }
  return isInBraces ? findDots(text, after) : undefined;
}

/** Programs disagree about `**` next to other characters. */
function findInStars(text: string, { before, after }: Place): string | undefined {
  const isEnd = (neighbour: string) => neighbour === "" || neighbour === "/";
  if (text === "*" || (text === "**" && isEnd(before) && isEnd(after))) return undefined;
  return `${text} next to anything but / is not supported; write **/ for any folders and * within a name, as in **/*.ts or {a,b}/**`;
}

function findInClass({ text, characters }: ClassToken, { isInBraces }: Place): string | undefined {
  const { isNegated, ranges } = characters;
  const escapes = text.match(/\\./gs) ?? [];
  const bare = text.slice(1, -1).replace(/\\./gs, "");
  const written = text.slice(1, -1);
  if (written.startsWith("!")) return `${text} is not supported; write [^ to exclude characters`;
  if (written.includes("[") && written.includes(":")) {
    return `${text} is not supported; list the characters, as in [a-z]`;
  }
  if (written.includes("/"))
    return `the / in ${text} is not supported; brackets match one character of a name`;
  if (/[{}]/.test(bare) || (isInBraces && bare.includes(","))) {
    return `a brace or comma in ${text} is not supported; write \\{, \\} or \\, for the character itself`;
  }
  if (escapes.some((pair) => /[A-Za-z0-9]$/.test(pair)) || written.includes("\\\\\\\\")) {
    return `a \\ in ${text} is not supported; write \\\\ once for the character itself`;
  }
  const reversed = ranges.find(([from, to]) => from > to);
  if (reversed !== undefined)
    return `${reversed.join("-")} in ${text} is in the wrong order; write the lower character first`;
  const wide = isNegated ? undefined : ranges.find(([from, to]) => from <= "/" && "/" <= to);
  if (wide === undefined) return undefined;
  return `${wide.join("-")} in ${text} includes /, which no name can contain; write two ranges`;
}
