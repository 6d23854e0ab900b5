import {
  parseRules,
  type RuleNames,
  type RuleTexts,
} from "../../../../src/kernel/policy/rules/parse-rules.ts";
import type { Rules } from "../../../../src/kernel/policy/rules/rule.ts";
import { builtinRoles } from "../../../../src/tools/builtin-roles.ts";
import { builtinTools } from "../../../../src/tools/index.ts";

const tools = new Map(builtinTools.map((tool) => [tool.name, tool]));

const names: RuleNames = {
  canonicalName: (name) => (tools.has(name) ? name : undefined),
  namesOf: (tool) => [tool],
  protectedNamesOf: (tool) => [tool],
  restricts: (name, tool) => name === tool,
  tools: () => [...tools.keys()],
  nearest: () => [],
  subjectOf: (tool) =>
    tools.get(tool)?.traits.runsCommands ? "command" : (builtinRoles.ruleSubjects.get(tool) ?? "path"),
};

/** Parses rules on the built-in tools by their canonical names. */
export function parseSampleRules(texts: RuleTexts): Promise<Rules> {
  return parseRules(texts, names);
}
