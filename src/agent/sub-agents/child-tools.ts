import { RuleError } from "../../runtime/policy/rules/rule.ts";
import type { ToolFilter } from "../../runtime/tool-search/tool-filter.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Parent } from "../agent-rights.ts";
import type { AgentRuntimeParts } from "../agent-runtime-parts.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";

/** Which tools an agent may use that is spawned: never more than its parent. */
export function childTools(
  parts: Pick<AgentRuntimeParts, "filterTools" | "agentTool">,
  {
    parent: { allows: parentMay = everyTool },
    template,
    mayGoOn,
  }: { parent: Pick<Parent, "allows">; template: AgentTemplate | undefined; mayGoOn: boolean },
): ToolFilter {
  const isWanted = wantedBy(parts, template);
  const isUnwanted = unwantedBy(parts, template);
  return (tool) =>
    parentMay(tool) && isWanted(tool) && !isUnwanted(tool) && (mayGoOn || tool !== parts.agentTool);
}

export const everyTool: ToolFilter = () => true;

function wantedBy(
  parts: Pick<AgentRuntimeParts, "filterTools">,
  template: AgentTemplate | undefined,
): ToolFilter {
  if (template?.tools === undefined) return everyTool;
  const { name, tools } = template;
  const filters = findTools(parts, tools);
  if (filters.length === 0 && tools.length > 0) {
    throw new ToolError(
      "unsupported",
      `the kind ${name} is for tools that are not here: ${tools.join(", ")}`,
    );
  }
  return anyOf(filters);
}

function unwantedBy(
  parts: Pick<AgentRuntimeParts, "filterTools">,
  { disallowedTools = [] }: Pick<AgentTemplate, "disallowedTools"> = {},
): ToolFilter {
  // What forbids a part of what a tool can do, forbids it all here, rather than nothing.
  const names = disallowedTools.map((text) => text.split("(", 1)[0]!);
  return anyOf(findTools(parts, names));
}

/** Kinds are written for other systems as well: what they name and nobody has here is passed over. */
function findTools(
  { filterTools }: Pick<AgentRuntimeParts, "filterTools">,
  names: readonly string[],
): ToolFilter[] {
  return names.flatMap((name) => {
    try {
      return [filterTools([name])];
    } catch (error) {
      if (error instanceof RuleError) return [];
      throw error;
    }
  });
}

function anyOf(filters: readonly ToolFilter[]): ToolFilter {
  return (tool) => filters.some((isMeant) => isMeant(tool));
}
