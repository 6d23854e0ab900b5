import { createStarMatcher } from "../../../shared/glob/star-matcher.ts";
import { commandMatcher } from "./command-matcher.ts";
import { type Rule, RuleError, type Rules } from "./rule.ts";

export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface RuleNames {
  /** The canonical name of a tool, given its name in any dialect. */
  canonicalName(name: string): string | undefined;
  /** All names of a tool, including the canonical one. */
  namesOf(tool: string): readonly string[];
  /** The canonical names of all current tools. */
  tools(): readonly string[];
  nearest(name: string): readonly string[];
  /** Whether rules on this tool match commands instead of paths. */
  runsCommands(tool: string): boolean;
}

/**
 * Parses rules such as `Bash`, `file_read(src/**)` or `mcp__github__*`. Names become canonical, so that a rule on one
 * dialect's name applies to the tool in all of them. An unknown name is an error because it would never match, except for
 * an MCP server's tool, which may appear later.
 */
export async function parseRules(texts: RuleTexts, names: RuleNames): Promise<Rules> {
  const parseAll = (decision: keyof RuleTexts) => {
    const place = { where: `permissions.${decision}`, names, isAllowing: decision === "allow" };
    return Promise.all((texts[decision] ?? []).map((text) => parseRule(text, place)));
  };
  return { allow: await parseAll("allow"), ask: await parseAll("ask"), deny: await parseAll("deny") };
}

async function parseRule(
  text: unknown,
  { where, names, isAllowing }: { where: string; names: RuleNames; isAllowing: boolean },
): Promise<Rule> {
  const parts = typeof text === "string" ? /^([A-Za-z0-9_*-]+)(?:\((.*\S.*)\))?$/s.exec(text.trim()) : null;
  if (typeof text !== "string" || parts === null) {
    throw new RuleError(
      `${where}: ${JSON.stringify(text)} is not a rule; write a tool's name, optionally with paths as in "file_read(src/**)" or a command as in "shell_run(npm test)"`,
    );
  }
  const [, name = "", pattern] = parts;
  const matchesTool = toolMatcher(name, { where, names });
  if (pattern === undefined) return { source: text, matchesTool };
  const canonical = names.canonicalName(name);
  if (canonical !== undefined && names.runsCommands(canonical)) {
    return { source: text, matchesTool, matchesCommand: commandMatcher(pattern, { where, isAllowing }) };
  }
  // Loaded only if a rule names paths, to keep startup fast.
  const { pathMatcher } = await import("./path-matcher.ts");
  return { source: text, matchesTool, matchesPath: pathMatcher(pattern, where) };
}

/** Tests canonical tool names against a name in any dialect, or a pattern such as `mcp__github__*`. */
export function toolMatcher(
  name: string,
  { where, names }: { where: string; names: RuleNames },
): Rule["matchesTool"] {
  if (name.includes("*")) return patternMatcher(name, { where, names });
  const canonical = names.canonicalName(name);
  if (canonical === undefined && name.startsWith(laterPrefix)) {
    return (tool) => names.namesOf(tool).includes(name);
  }
  if (canonical === undefined) {
    const nearest = names.nearest(name);
    const hint = nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
    throw new RuleError(`${where}: there is no tool named ${JSON.stringify(name)}${hint}`);
  }
  return (tool) => tool === canonical;
}

/** Evaluated for each call, so that it also applies to tools added after the rule was parsed. */
function patternMatcher(
  pattern: string,
  { where, names }: { where: string; names: RuleNames },
): Rule["matchesTool"] {
  const isAlike = createStarMatcher(pattern);
  const matchesTool = (tool: string) => names.namesOf(tool).some(isAlike);
  if (!pattern.startsWith(laterPrefix) && !names.tools().some(matchesTool)) {
    throw new RuleError(`${where}: no tool matches ${JSON.stringify(pattern)}`);
  }
  return matchesTool;
}

// Tools of MCP servers come and go with their connections.
const laterPrefix = "mcp_";
