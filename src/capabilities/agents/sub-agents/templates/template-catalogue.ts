import {
  createDefinitions,
  type DefinitionKind,
  type DefinitionSources,
  type Definitions,
  toDescription,
} from "../../../../kernel/definitions/index.ts";
import type { AgentTemplate, TemplateDefinitions } from "./agent-template.ts";
import { readTemplate } from "./read-template.ts";

/** Kinds of agents: those given in code, and those in the workspace's files as they are now. */
export type TemplateCatalogue = Definitions<AgentTemplate>;

const maxTemplateBytes = 2 ** 18;
const ending = ".md";

/** `given` must have passed `checkTemplates`. */
export function createTemplateCatalogue(
  given: TemplateDefinitions,
  sources: DefinitionSources,
): TemplateCatalogue {
  const kind: DefinitionKind<AgentTemplate> = {
    noun: { one: "kind of agent", many: "kinds of agents" },
    folders: [".toolwright/agents", ".claude/agents"],
    maxBytes: maxTemplateBytes,
    given: nameTemplates(given),
    entryOf: ({ name, type }) =>
      name.endsWith(ending) && type !== "directory"
        ? { name: name.slice(0, -ending.length), file: name }
        : undefined,
    read: readTemplate,
    weigh: ({ description, system = "", tools = [], disallowedTools = [] }) =>
      [description, system, ...tools, ...disallowedTools].reduce((sum, { length }) => sum + length, 0),
  };
  return createDefinitions(kind, sources);
}

function nameTemplates(given: TemplateDefinitions): ReadonlyMap<string, AgentTemplate> {
  return new Map(
    Object.entries(given).map(([name, template]) => [
      name,
      { ...template, name, description: toDescription(template.description) },
    ]),
  );
}
