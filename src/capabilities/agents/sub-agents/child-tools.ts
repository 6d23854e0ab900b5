import { RuleError } from "../../../kernel/policy/index.ts";
import type { ToolFilter } from "../../../kernel/tool-search/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { AgentRuntimeParts, Parent } from "../host/agent-runtime-parts.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";

/** Which tools a sub-agent may use: never more than its parent. */
export function childTools(
  parts: Pick<AgentRuntimeParts, "filterTools" | "agentTool">,
  {
    parent: { allows: parentMay = everyTool },
    template,
    maySpawn,
  }: { parent: Pick<Parent, "allows">; template: AgentTemplate | undefined; maySpawn: boolean },
): ToolFilter {
  const isWanted = wantedBy(parts, template);
  const isUnwanted = unwantedBy(parts, template);
  return (tool) =>
    parentMay(tool) && isWanted(tool) && !isUnwanted(tool) && (maySpawn || tool !== parts.agentTool);
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
      `agents of kind ${name} need tools that are not available here: ${tools.join(", ")}`,
    );
  }
  return anyOf(filters);
}

function unwantedBy(
  parts: Pick<AgentRuntimeParts, "filterTools">,
  { disallowedTools = [] }: Pick<AgentTemplate, "disallowedTools"> = {},
): ToolFilter {
  // A rule such as Bash(rm *) disallows the whole tool, since a part of it cannot be disallowed here.
  const names = disallowedTools.map((text) => text.split("(", 1)[0]!);
  return anyOf(findTools(parts, names, { isRestricting: true }));
}

/** Ignores unknown names: templates are also written for systems with other tools. */
function findTools(
  { filterTools }: Pick<AgentRuntimeParts, "filterTools">,
  names: readonly string[],
  options: { readonly isRestricting?: boolean } = {},
): ToolFilter[] {
  return names.flatMap((name) => {
    try {
      return [filterTools([name], options)];
    } catch (error) {
      if (error instanceof RuleError) return [];
      throw error;
    }
  });
}

function anyOf(filters: readonly ToolFilter[]): ToolFilter {
  return (tool) => filters.some((isMeant) => isMeant(tool));
}
