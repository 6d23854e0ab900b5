import type { ParsedScript, SyntaxNode } from "unbash";
import type { ScriptProblem } from "./shell-script.ts";

const maxCharacters = 10_000;

export interface Prescreening {
  readonly problems: readonly ScriptProblem[];
  /** False if the text could mislead the parser or keep it busy for long. */
  readonly mayParse: boolean;
}

/** Finds problems in the plain characters, before anything is parsed. */
export function prescreenScript(text: string): Prescreening {
  // Checked first: the other checks would take long on megabytes of text.
  if (text.length > maxCharacters) {
    return refuse(`it is longer than ${maxCharacters} characters`, `${text.slice(0, 80)}…`);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) return refuse("it contains a NUL character", text.slice(0, nul));
  const heavy = findHeavy(text);
  if (heavy !== undefined) return refuse(heavy, text.slice(0, 80));
  const broken = brokenAcrossLines.exec(text)?.[0];
  if (broken !== undefined) return refuse("an operator or a name is broken across two lines", broken);
  const hidden = [...new Set(text.match(hiddenCharacters))];
  if (hidden.length === 0) return { problems: [], mayParse: true };
  const names = hidden.slice(0, maxNamed).map(nameCharacter).join(", ");
  return {
    problems: [{ reason: `it contains invisible or misleading characters: ${names}`, text: names }],
    mayParse: true,
  };
}

/**
 * Control characters except tab and line feed, formatting and invisible characters, lone surrogates, and every space
 * except the ordinary one.
 */
const hiddenCharacters =
  /(?![\t\n ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// Bash joins such lines before it looks for names and operators; a parser that joins them later reads something else.
const brokenAcrossLines = /\$\w*\\\n|[<>&|;(!`{]\\\n[<>&|;(`{[]/;

const maxNamed = 5;
// Real scripts need far fewer; the parser's work grows with the square of these.
const maxOpenings = 64;
const maxExpansions = 250;
const maxBraces = 250;

function findHeavy(text: string): string | undefined {
  let depth = 0;
  let deepest = 0;
  let expansions = 0;
  let braces = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "(" || character === "{" || character === "[") {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (character === "{") braces += 1;
      if (index > 0 && "$<>".includes(text[index - 1]!)) expansions += 1;
    } else if (character === ")" || character === "}" || character === "]") {
      if (depth > 0) depth -= 1;
    } else if (character === "`") expansions += 1;
  }
  if (deepest > maxOpenings) return `more than ${maxOpenings} brackets are open at once`;
  if (expansions > maxExpansions) return `it contains more than ${maxExpansions} expansions`;
  if (braces > maxBraces) return `it contains more than ${maxBraces} braces`;
  return undefined;
}

function nameCharacter(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function refuse(reason: string, text: string): Prescreening {
  return { problems: [{ reason, text }], mayParse: false };
}

export interface Parser {
  /** Recovers from errors and reports them in the tree, nested trees included; throws only on absurd depths. */
  parse(text: string): ParsedScript;
  /** Visits a node's children, including those behind lazy getters. */
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** The only place that loads the parser. */
export function loadParser(): Promise<Parser> {
  return import("unbash");
}
