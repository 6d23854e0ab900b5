import { builtinTools, capabilities } from "../../../../src/capabilities.ts";
import {
  parseRules,
  type RuleNames,
  type RuleTexts,
} from "../../../../src/kernel/policy/rules/parse-rules.ts";
import type { Rules } from "../../../../src/kernel/policy/rules/rule.ts";
import { joinTools } from "../../../../src/kernel/runtime/builtin-tools.ts";

const { ruleSubjects } = joinTools(capabilities).roles;
const tools = new Map(builtinTools.map((tool) => [tool.name, tool]));

const names: RuleNames = {
  canonicalName: (name) => (tools.has(name) ? name : undefined),
  namesOf: (tool) => [tool],
  protectedNamesOf: (tool) => [tool],
  restricts: (name, tool) => name === tool,
  tools: () => [...tools.keys()],
  nearest: () => [],
  subjectOf: (tool) =>
    tools.get(tool)?.traits.runsCommands ? "command" : (ruleSubjects.get(tool) ?? "path"),
};

/** Parses rules on the built-in tools by their canonical names. */
export function parseSampleRules(texts: RuleTexts): Promise<Rules> {
  return parseRules(texts, names);
}
