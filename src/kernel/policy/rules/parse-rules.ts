import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { type PermissionClass, permissionClasses } from "../../../tool/permission-request.ts";
import { hostMatcher } from "../hosts/host-matcher.ts";
import { commandMatcher } from "./command-matcher.ts";
import { indexRules } from "./index-rules.ts";
import { type Rule, RuleError, type RuleList, type Rules } from "./rule.ts";

export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface RuleNames {
  /** The canonical name of a tool, given its name in any dialect. */
  canonicalName(name: string): string | undefined;
  /**
   * Whether a restriction on a name is one for this tool. A built-in tool's names are protected: a tool that takes one
   * of them, and the built-in tool under its other names, are bound alike.
   */
  restricts(name: string, tool: string): boolean;
  /** All names of a tool, including the canonical one. */
  namesOf(tool: string): readonly string[];
  /** The names by which a restriction binds the tool: also those that another tool has taken from it, or it from another. */
  protectedNamesOf(tool: string): readonly string[];
  /** The canonical names of all current tools. */
  tools(): readonly string[];
  nearest(name: string): readonly string[];
  /** The subject of the text in parentheses, in a rule with this name. */
  subjectOf(name: string): RuleSubject;
}

/**
 * `read` and `write`: a path, and the rule binds every read or write of it, by whatever tool. `path`: a path that this
 * tool touches. `command`: a command line. `kind`: a kind of sub-agent. `domain`: a host, as in `domain:example.com`.
 */
export type RuleSubject = "read" | "write" | "path" | "command" | "kind" | "domain";

/**
 * Parses rules such as `Bash`, `Read(src/**)`, `@network` or `mcp__github__*`. Names become canonical, so that a rule on
 * one dialect's name applies to the tool in all of them. An unknown name is an error because it would never match, except
 * for an MCP server's tool, which may appear later.
 */
export async function parseRules(texts: RuleTexts, names: RuleNames): Promise<Rules> {
  const parseAll = (decision: RuleList) => {
    const place = { where: `permissions.${decision}`, names, isAllowing: decision === "allow" };
    return Promise.all((texts[decision] ?? []).map((text) => parseRule(text, place)));
  };
  return indexRules({
    allow: await parseAll("allow"),
    ask: await parseAll("ask"),
    deny: await parseAll("deny"),
  });
}

export interface RulePlace {
  readonly where: string;
  readonly names: RuleNames;
  readonly isAllowing: boolean;
  /** Called if there is no such tool; without it, that is an error. The rule binds a tool of that name once it comes. */
  readonly onUnknown?: (message: string) => void;
}

export async function parseRule(text: unknown, place: RulePlace): Promise<Rule> {
  const { where, names } = place;
  const parts =
    typeof text === "string" ? /^(@?[A-Za-z0-9_*-]+)(?:\((?!\s*\)$)(.*)\))?$/s.exec(text.trim()) : null;
  if (typeof text !== "string" || parts === null) {
    throw new RuleError(
      `${where}: ${JSON.stringify(text)} is not a rule; write a tool's name, optionally with paths as in "file_read(src/**)" or a command as in "shell_run(npm test)", or a class as in "@network"`,
    );
  }
  const [, name = "", pattern] = parts;
  const source = text;
  if (name.startsWith("@")) return { source, ...(await parseClassRule(name, pattern, place)) };
  const subject = names.subjectOf(name);
  if (subject === "domain" && pattern !== undefined) return { source, ...bindHosts(pattern, where) };
  const matchesTool = toolMatcher(name, { ...place, isRestricting: !place.isAllowing });
  if (pattern === undefined) return { source, matchesTool };
  switch (subject) {
    case "command":
      return { source, matchesTool, matchesCommand: commandMatcher(pattern, place) };
    case "kind":
      return { source, action: "interact", matchesTool: byNoName, matchesKind: kindMatcher(pattern) };
    case "read":
    case "write":
      return { source, matchesTool, action: subject, matchesPath: await readPaths(pattern, where) };
    default:
      return { source, matchesTool, matchesPath: await readPaths(pattern, where) };
  }
}

/** `@write`, `@write(docs/**)`, `@network(domain:example.com)`: effects of a class, whichever tool has them. */
async function parseClassRule(
  name: string,
  pattern: string | undefined,
  { where }: RulePlace,
): Promise<Omit<Rule, "source">> {
  const action = permissionClasses.find((each) => `@${each}` === name);
  if (action === undefined) {
    const known = permissionClasses.map((each) => `@${each}`).join(", ");
    throw new RuleError(`${where}: there is no class ${name}; the classes are ${known}`);
  }
  if (pattern === undefined) return { action, matchesTool: byNoName };
  if (action === "network") return bindHosts(pattern, where);
  if (action === "read" || action === "write")
    return { action, matchesTool: byNoName, matchesPath: await readPaths(pattern, where) };
  throw new RuleError(`${where}: ${name} takes nothing in parentheses; ${insteadOf[action]}`);
}

const insteadOf: Record<Exclude<PermissionClass, "read" | "write" | "network">, string> = {
  execute: "name the tool that runs the command, as in Bash(npm test)",
  interact: "name the tool instead",
};

/** The rule binds an action, and not the tool that does it. */
function byNoName(): boolean {
  return false;
}

function bindHosts(pattern: string, where: string): Omit<Rule, "source"> {
  return {
    action: "network",
    matchesTool: byNoName,
    matchesHost: hostMatcher(pattern, where),
    isOneHost: !pattern.includes("*"),
  };
}

function kindMatcher(pattern: string): NonNullable<Rule["matchesKind"]> {
  return createStarMatcher(pattern.trim());
}

async function readPaths(pattern: string, where: string): Promise<NonNullable<Rule["matchesPath"]>> {
  // Loaded only if a rule names paths, to keep startup fast.
  const { homeFolders, pathMatcher } = await import("./path-matcher.ts");
  return pathMatcher(pattern, where, { homes: await homeFolders() });
}

interface MatcherPlace extends Pick<RulePlace, "where" | "names" | "onUnknown"> {
  /** The rule denies or asks, so it binds every tool that has, or had, the name. */
  readonly isRestricting: boolean;
}

/** Tests canonical tool names against a name in any dialect, or a pattern such as `mcp__github__*`. */
export function toolMatcher(name: string, place: MatcherPlace): Rule["matchesTool"] {
  const { where, names, onUnknown, isRestricting } = place;
  if (name.includes("*")) return patternMatcher(name, place);
  const canonical = names.canonicalName(name);
  if (canonical === undefined && name.startsWith(laterPrefix)) {
    // `mcp__github` means all tools of that server.
    const ofServer = /^mcp__(?!.*__)./.test(name) ? `${name}__` : undefined;
    const isAlike = (each: string) => each === name || (ofServer !== undefined && each.startsWith(ofServer));
    return (tool) => names.namesOf(tool).some(isAlike);
  }
  if (canonical === undefined) {
    const problem = `there is no tool named ${JSON.stringify(name)}${orMeant(names.nearest(name))}`;
    if (onUnknown === undefined) throw new RuleError(`${where}: ${problem}`);
    onUnknown(problem);
    const namesOf = isRestricting ? names.protectedNamesOf : names.namesOf;
    return (tool) => namesOf(tool).includes(name);
  }
  return isRestricting ? (tool) => names.restricts(name, tool) : (tool) => tool === canonical;
}

/** Evaluated for each call, so that it also applies to tools added after the rule was parsed. */
function patternMatcher(
  pattern: string,
  { where, names, onUnknown, isRestricting }: MatcherPlace,
): Rule["matchesTool"] {
  const isAlike = createStarMatcher(pattern);
  const namesOf = isRestricting ? names.protectedNamesOf : names.namesOf;
  const matchesTool = (tool: string) => namesOf(tool).some(isAlike);
  if (!pattern.startsWith(laterPrefix) && !names.tools().some(matchesTool)) {
    const problem = `no tool matches ${JSON.stringify(pattern)}`;
    if (onUnknown === undefined) throw new RuleError(`${where}: ${problem}`);
    onUnknown(problem);
  }
  return matchesTool;
}

// Tools of MCP servers come and go with their connections.
const laterPrefix = "mcp_";
