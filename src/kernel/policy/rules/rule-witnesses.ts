import { homedir } from "node:os";
import { join } from "node:path";
import { expandBraces } from "../../../shared/glob/expand-braces.ts";
import { anyNumber } from "../../../shared/glob/match-steps.ts";
import { type GlobToken, readTokens } from "../../../shared/glob/read-tokens.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import { readCommandPattern } from "./command-pattern.ts";
import { splitPatterns } from "./path-matcher.ts";
import type { RuleCommand, RulePath } from "./rule.ts";

// Occurs in no pattern, so that only a star can match it.
const unheardOf = "\u0001";

/** Commands that a pattern matches, with made-up words wherever it leaves them open. */
export function commandWitnesses(pattern: string): readonly RuleCommand[] {
  const { steps } = readCommandPattern(pattern, "");
  const fill = (further: readonly string[]) =>
    steps.flatMap((step) => (step === anyNumber ? further : [step.text.replaceAll("*", unheardOf)]));
  return [fill([]), fill([`${unheardOf}1`, `${unheardOf}2`])].map((argv) => ({
    argv,
    isPlain: true,
    isTricky: false,
  }));
}

/** Paths that a pattern matches, with made-up names wherever it leaves them open. */
export function pathWitnesses(pattern: string): readonly RulePath[] {
  return splitPatterns(pattern).flatMap((each) =>
    expandBraces(each).flatMap((one) =>
      ["", `${unheardOf}a/${unheardOf}b/`].flatMap((folders) => fillPath(one, folders)),
    ),
  );
}

function fillPath(pattern: string, folders: string): readonly RulePath[] {
  const tokens = readTokens(pattern.replaceAll("**/", folders).replace(/\*\*$/, `${folders}${unheardOf}c`));
  const name = trimEndOf(tokens.map(characterFor).join(""), "/");
  if (name.startsWith("//"))
    return below(name.slice(1)).map((absolute) => ({ relative: undefined, absolute }));
  if (name === "~" || name.startsWith("~/"))
    return below(join(homedir(), name.slice(1))).map((absolute) => ({ relative: undefined, absolute }));
  const isAnywhere = !trimEndOf(pattern, "/").includes("/");
  const inside = name.replace(/^\.?\/+/, "");
  const places = isAnywhere ? [inside, `${folders}${inside}`] : [inside];
  return places.flatMap(below).map((relative) => ({ relative, absolute: `/${unheardOf}/${relative}` }));
}

function below(path: string): readonly string[] {
  return [path, `${path}/${unheardOf}d`];
}

function characterFor(token: GlobToken): string {
  if (token.kind === "stars" || token.kind === "one") return unheardOf;
  if (token.kind === "escape") return token.text.slice(1);
  if (token.kind === "class")
    return token.characters.isNegated ? unheardOf : (token.characters.ranges[0]?.[0] ?? "");
  return token.text;
}
