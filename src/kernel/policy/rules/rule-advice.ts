import { homedir } from "node:os";
import { join } from "node:path";
import { expandBraces } from "../../../shared/glob/expand-braces.ts";
import { anyNumber } from "../../../shared/glob/match-steps.ts";
import { type GlobToken, readTokens } from "../../../shared/glob/read-tokens.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import type { PolicyProblem, ScopedPolicy } from "../scopes/scoped-policy.ts";
import { readCommandPattern } from "./command-pattern.ts";
import { splitPatterns } from "./path-matcher.ts";
import type { Rule, RuleCommand, RuleList, RuleLists, RulePath } from "./rule.ts";
import { findWide } from "./too-wide.ts";

/** Something about a rule that its author should know: it is valid, but its effect differs from its wording. */
export interface RuleAdvice {
  readonly kind: "shadowed" | "repeated" | "wide" | "unclear";
  readonly decision: RuleList;
  readonly rule: Rule;
  /** The problem and its remedy, as a clause about the rule. */
  readonly message: string;
}

/**
 * Finds rules that never decide anything, that allow more than they seem to, and paths that look absolute but are not.
 */
export function adviseOnRules(
  rules: RuleLists,
  { tools, root }: { tools: readonly string[]; root: string },
): readonly RuleAdvice[] {
  const all = byStrictness.flatMap((decision) => rules[decision].map((rule) => ({ decision, rule })));
  return all.flatMap(({ decision, rule }, index): RuleAdvice[] => {
    const wider = all.find((other, at) => {
      if (at === index || (other.decision !== decision && at > index)) return false;
      // Of two rules that say the same, the later one is superfluous.
      const isFirst = at > index && covers(rule, other.rule, tools);
      return !isFirst && covers(other.rule, rule, tools);
    });
    const messages: Omit<RuleAdvice, "decision" | "rule">[] = [];
    if (wider !== undefined) messages.push(asCovered(wider, decision));
    const wide = decision === "allow" ? widthOf(rule) : undefined;
    if (wide !== undefined) messages.push({ kind: "wide", message: wide });
    for (const message of misreadPaths(rule, root)) messages.push({ kind: "unclear", message });
    return messages.map((each) => ({ ...each, decision, rule }));
  });
}

const byStrictness = ["deny", "ask", "allow"] as const;

function asCovered(
  { decision, rule }: { decision: RuleList; rule: Rule },
  covered: RuleList,
): Omit<RuleAdvice, "decision" | "rule"> {
  if (decision === covered) {
    return {
      kind: "repeated",
      message: `the ${decision} rule ${rule.source} already says so; remove one of them`,
    };
  }
  return {
    kind: "shadowed",
    message: `it never decides anything: the ${decision} rule ${rule.source} comes first; remove one of them`,
  };
}

/** Whether one rule is about everything that another is about. */
function covers(wide: Rule, narrow: Rule, tools: readonly string[]): boolean {
  const pattern = patternOf(narrow);
  const widePattern = patternOf(wide);
  if (wide.source.trim() === narrow.source.trim()) return true;
  const isSameEffect = narrow.action !== undefined && wide.action === narrow.action;
  const named = tools.filter((tool) => narrow.matchesTool(tool));
  const isSameTool = named.length > 0 && named.every((tool) => wide.matchesTool(tool));
  if (!isSameEffect && !isSameTool) return false;
  if (widePattern === undefined) return true;
  if (pattern === undefined) return false;
  const { matchesCommand, matchesPath } = wide;
  if (matchesCommand !== undefined && narrow.matchesCommand !== undefined) {
    const isMet = (command: ReturnType<typeof commandWitnesses>[number]) =>
      ["exact", "prefix"].includes(matchesCommand(command));
    return commandWitnesses(pattern).every(isMet);
  }
  if (matchesPath === undefined || narrow.matchesPath === undefined) return false;
  const paths = pathWitnesses(pattern).filter(narrow.matchesPath);
  return paths.length > 0 && paths.every(matchesPath);
}

function widthOf({ source, matchesCommand }: Rule): string | undefined {
  const pattern = patternOf({ source });
  if (matchesCommand === undefined || pattern === undefined) return undefined;
  const found = findWide(readCommandPattern(pattern, ""));
  return found && `${found}; write more of the words you mean`;
}

/** One slash means the workspace's root, as elsewhere; a person who writes `/etc` may have meant the machine's root. */
function misreadPaths({ source, matchesPath }: Rule, root: string): readonly string[] {
  const pattern = matchesPath === undefined ? undefined : patternOf({ source });
  return splitPatterns(pattern ?? "").flatMap((each) => {
    const [, first = ""] = /^\/(?!\/)([^/]*)/.exec(each) ?? [];
    const isOnDisk = each.startsWith(`${root}/`) || rootFolders.has(first);
    if (!isOnDisk) return [];
    return [`${each} begins at the workspace's root; for a path on the disk write /${each}`];
  });
}

/** Folders of a disk that are hardly ever folders of a project. */
const rootFolders: ReadonlySet<string> = new Set(
  "Applications Library System Users Volumes boot etc home mnt opt private proc root sbin srv sys usr var".split(
    " ",
  ),
);

function patternOf({ source }: Pick<Rule, "source">): string | undefined {
  return /^[^(]*\((.*)\)\s*$/s.exec(source)?.[1];
}

// Occurs in no pattern, so that only a star can match it.
const unheardOf = "\u0001";

/** Commands that a pattern matches, with made-up words wherever it leaves them open. */
function commandWitnesses(pattern: string): readonly RuleCommand[] {
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
function pathWitnesses(pattern: string): readonly RulePath[] {
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

/** Problems of a policy: files that cannot be used, and rules whose effect differs from their wording. */
export function problemsOfPolicy(
  { rules, notes, broken }: ScopedPolicy,
  parts: { tools: readonly string[]; root: string },
): readonly PolicyProblem[] {
  const advice = adviseOnRules(rules, parts).map(({ decision, rule: { origin, source }, message }) => ({
    source: origin === undefined ? `permissions.${decision}` : `${origin.file}:${origin.line}`,
    subject: source,
    message,
  }));
  return [
    ...(broken === undefined ? [] : [{ source: "policy", subject: "policy file", message: broken, about }]),
    ...[...notes, ...advice].map((note) => ({ ...note, severity, about })),
  ];
}

const about = "rule" as const;
const severity = "warning" as const;
