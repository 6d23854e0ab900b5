import type { ArgumentMeaning, ReadCommand } from "../../../machine/command-reading/read-command.ts";
import type { PermissionClass } from "../../../tool/permission-request.ts";
import type { PathKey } from "./path-readings.ts";

/**
 * A parsed rule. It is about everything that some tools do, or about every effect of a class, by whatever tool it comes
 * about; and optionally only about some paths, commands, hosts or kinds of sub-agents.
 */
export interface Rule {
  /** As the user wrote it, for reasons and receipts. */
  readonly source: string;
  /** Absent for a rule that was given as an option. */
  readonly origin?: RuleOrigin;
  matchesTool(tool: string): boolean;
  /** The rule is also about every effect of this class, such as every write, whichever tool or command has it. */
  readonly action?: PermissionClass;
  /** Absent if the rule applies to every path. */
  readonly matchesPath?: PathMatcher;
  /** Used instead of `matchesPath` for a tool that runs commands. */
  readonly matchesCommand?: (command: RuleCommand) => CommandMatch;
  /** `maybe` if the host is not known. */
  readonly matchesHost?: (host: string) => "yes" | "maybe" | "no";
  /** It names a single host, not a pattern of hosts. */
  readonly isOneHost?: boolean;
  /** Whether the rule is about a kind of sub-agent; the kind is empty for a sub-agent without one. */
  readonly matchesKind?: (kind: string) => boolean;
}

/**
 * Who a rule comes from: the machine's administrator, the user, the project, or the program that opened the session.
 */
export type RuleScope = "managed" | "user" | "project" | "session";

/** Where a rule is written. */
export interface RuleOrigin {
  readonly scope: RuleScope;
  readonly file: string;
  readonly line: number;
}

/** Whether a rule is about an action of a tool; its paths, commands, hosts and kinds still have to match. */
export function isAbout(rule: Rule, tool: string, action: PermissionClass): boolean {
  return rule.action === action || rule.matchesTool(tool);
}

/** Whether a rule is about everything that a tool does, not only about some of it. */
export function isAboutWhole(rule: Rule, tool: string): boolean {
  return !isNarrow(rule) && rule.matchesTool(tool);
}

/** Whether a rule is about every effect of a class, not only about some of them. */
export function isAboutEvery(rule: Rule, action: PermissionClass): boolean {
  return !isNarrow(rule) && rule.action === action;
}

function isNarrow({ matchesPath, matchesCommand, matchesHost, matchesKind }: Rule): boolean {
  return (matchesPath ?? matchesCommand ?? matchesHost ?? matchesKind) !== undefined;
}

/** How a rule matches a command: exactly, by its first words, possibly (deny and ask rules only), or not at all. */
export type CommandMatch = "exact" | "prefix" | "maybe" | "none";

/** A command in the form that rules match, with wrappers such as `timeout 5` removed. */
export interface RuleCommand extends Pick<ReadCommand, "argv" | "wrapped" | "isPlain" | "isTricky"> {
  /** Reads words as their program does; undefined if its options are not known. */
  readonly readMeaning?: (argv: readonly string[]) => ArgumentMeaning | undefined;
}

/** A path in both forms that rules use; `relative` is undefined outside the workspace. */
export interface RulePath {
  readonly relative: string | undefined;
  readonly absolute: string;
}

/** A test of paths. With `keys`, it matches only paths that have one of them. */
export type PathMatcher = ((path: RulePath) => boolean) & {
  readonly keys?: readonly PathKey[];
  /** Whether the rule spells out this very path, and not only a folder above it or a pattern. */
  readonly names?: (path: RulePath) => boolean;
};

export type RuleLists = Readonly<Record<RuleList, readonly Rule[]>>;

export type RuleList = "allow" | "ask" | "deny";

export function eachList<Made>(make: (list: RuleList) => Made): Record<RuleList, Made> {
  return { allow: make("allow"), ask: make("ask"), deny: make("deny") };
}

export interface Rules extends RuleLists {
  /** The rules that could be about a request, in any order. Default: all. */
  readonly near?: (request: RuledRequest) => RuleLists;
}

/** What a rule can be looked up by. */
export interface RuledRequest {
  readonly path?: { readonly real: RulePath; readonly written: RulePath };
  readonly command?: RuleCommand;
}

export class RuleError extends Error {
  override readonly name = "RuleError";
}
