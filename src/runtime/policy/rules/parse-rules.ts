import { createStarMatcher } from "../../../shared/glob/star-matcher.ts";
import { commandMatcher } from "./command-matcher.ts";
import { type Rule, RuleError, type Rules } from "./rule.ts";

export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface RuleNames {
  /** The canonical name behind any name a tool goes by, in whatever dialect. */
  canonicalName(name: string): string | undefined;
  /** Every name that leads to a tool, its canonical one among them. */
  namesOf(tool: string): readonly string[];
  /** The canonical names of all tools there are now. */
  tools(): readonly string[];
  nearest(name: string): readonly string[];
  /** Whether rules on the tool name commands instead of paths. */
  runsCommands(tool: string): boolean;
}

/**
 * Reads rules such as `Bash`, `file_read(src/**)` or `mcp__github__*`. Names become canonical, so that a rule on
 * one system's name binds the tool under all of them; an unknown name is an error, since it would never match, unless it
 * is that of an MCP server's tool, which may come later.
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
      `${where}: ${JSON.stringify(text)} is not a rule; write a tool's name, a name and paths as in "file_read(src/**)", or a name and a command as in "shell_run(npm test)"`,
    );
  }
  const [, name = "", pattern] = parts;
  const matchesTool = toolMatcher(name, { where, names });
  if (pattern === undefined) return { source: text, matchesTool };
  const canonical = names.canonicalName(name);
  if (canonical !== undefined && names.runsCommands(canonical)) {
    return { source: text, matchesTool, matchesCommand: commandMatcher(pattern, { where, isAllowing }) };
  }
  // Loaded only where rules speak of paths, to keep starting up cheap.
  const { pathMatcher } = await import("./path-matcher.ts");
  return { source: text, matchesTool, matchesPath: pathMatcher(pattern, where) };
}

/** Whether a canonical name is meant by a name in any dialect, or by a pattern such as `mcp__github__*`. */
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

/** Asked anew for each call, so that it also binds tools that came after the rule was read. */
function patternMatcher(
  pattern: string,
  { where, names }: { where: string; names: RuleNames },
): Rule["matchesTool"] {
  const isAlike = createStarMatcher(pattern);
  const matchesTool = (tool: string) => names.namesOf(tool).some(isAlike);
  if (!pattern.startsWith(laterPrefix) && !names.tools().some(matchesTool)) {
    throw new RuleError(`${where}: no tool has a name like ${JSON.stringify(pattern)}`);
  }
  return matchesTool;
}

// Tools of MCP servers come and go with their connections.
const laterPrefix = "mcp_";
