import { join } from "node:path";
import {
  createDefinitions,
  type DefinitionKind,
  type DefinitionSources,
  readDescription,
} from "../../kernel/definitions/index.ts";
import { readFrontMatter } from "../../shared/front-matter/read-front-matter.ts";
import type { SkillSummary } from "../../tool/services/skills.ts";

export type SkillCatalogue = ReturnType<typeof createSkillCatalogue>;

interface FoundSkill extends SkillSummary {
  /** Relative to the workspace. */
  readonly path: string;
}

export const maxSkillBytes = 2 ** 20;

/** The skills of a workspace, always up to date; unchanged files are not read again. */
export function createSkillCatalogue(sources: DefinitionSources) {
  const kind: DefinitionKind<FoundSkill> = {
    noun: { one: "skill", many: "skills" },
    folders: [".skills", ".claude/skills"],
    maxBytes: maxSkillBytes,
    given: new Map(),
    entryOf: ({ name, type }) =>
      type === "directory" || type === "link" ? { name, file: skillFile(name) } : undefined,
    read: async (text, { name, path }) => {
      const description = readDescription(await readFrontMatter(text));
      return { name, description, path, folder: join(sources.workspace.root, path) };
    },
    weigh: ({ description }) => description.length,
  };
  const catalogue = createDefinitions(kind, sources);
  return {
    ...catalogue,
    list: async () => (await catalogue.list()).map(toSummary),
    known: () => catalogue.known().map(toSummary),
  };
}

export function skillFile(path: string): string {
  return `${path}/SKILL.md`;
}

function toSummary({ name, description, folder }: SkillSummary): SkillSummary {
  return { name, description, folder };
}
