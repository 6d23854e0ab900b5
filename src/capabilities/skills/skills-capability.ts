import { relative } from "node:path";
import { cannotRead, checkDefinitions, type DefinitionList } from "../../kernel/definitions/index.ts";
import type { WorkspacePaths } from "../../kernel/policy/index.ts";
import { capability, type OpeningRuntime, type RuntimePart } from "../../kernel/runtime/index.ts";
import type { OpenService, Service } from "../../kernel/services/index.ts";
import { DocumentError } from "../../shared/front-matter/document-error.ts";
import { readFrontMatter } from "../../shared/front-matter/read-front-matter.ts";
import type { DirectoryEntry, Files } from "../../tool/services/files.ts";
import type { Skill, SkillSummary } from "../../tool/services/skills.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createSkillCatalogue, maxSkillBytes, type SkillCatalogue, skillFile } from "./skill-catalogue.ts";
import learn from "./tools/skill/learn.ts";
import load from "./tools/skill/load.ts";

declare module "../../kernel/runtime/runtime.ts" {
  interface Runtime {
    /** The workspace's current skills, and the skill files that cannot be used. */
    readonly skills: DefinitionList<SkillSummary>;
  }
}

declare module "../../kernel/runtime/session.ts" {
  interface Session {
    /** The workspace's current skills, and the skill files that cannot be used. */
    readonly skills: DefinitionList<SkillSummary>;
  }
}

/** Finds skills in folders of the workspace, and loads them when they are needed. */
const skillsService: Service<"skills", Omit<LoadOptions, "files">, OpenService<"skills">> = {
  offers: "skills",
  open: (parts) => ({
    forCall: (_gate, { services: { files } }) => ({
      list: parts.catalogue.list,
      load: (name) => loadSkill(name, { ...parts, files }),
    }),
  }),
};

/** Skills of the project and the user. */
export const skillsCapability = capability({
  name: "skills",
  services: { skills: skillsService },
  tools: [load, learn],
  roles: { wantedTools: ({ skills = [] }: SessionView) => (skills.length > 0 ? [load.name] : []) },
  doctor: { inRuntime: ({ skills }) => checkDefinitions("skills", skills) },
  open: openSkills,
});

function openSkills({ workspace, offers }: Pick<OpeningRuntime, "workspace" | "offers">): RuntimePart {
  const { openReading = cannotRead } = offers;
  const catalogue = createSkillCatalogue({ workspace, openReading });
  const { list, problems } = catalogue;
  const members = () => ({ skills: { list, problems } });
  return {
    prepare: list,
    view: () => ({
      get skills() {
        return catalogue.known();
      },
    }),
    session: async (session) => ({
      services: {
        skills: await skillsService.open({ catalogue, workspace: session.workspace }),
      },
      members,
    }),
    members,
    inFolder: (moved) => openSkills({ ...moved, offers }),
  };
}

interface LoadOptions {
  readonly catalogue: SkillCatalogue;
  readonly workspace: Pick<WorkspacePaths, "resolve">;
  /** The calling tool's files, so that it gets nothing it may not read. */
  readonly files: Files;
}

const maxFiles = 500;

/** Reads a whole skill: the content of its SKILL.md and the names of its other files. Runs nothing. */
async function loadSkill(name: string, { catalogue, workspace, files }: LoadOptions): Promise<Skill> {
  const { path, description, folder } = await catalogue.find(name);
  const { text } = await files.readText(skillFile(path), { maxBytes: maxSkillBytes });
  const {
    path: listed,
    entries,
    truncated,
  } = await files.list(path, { recursive: true, maxEntries: maxFiles });
  const names: string[] = [];
  for (const entry of entries) {
    if (await isFileInside(entry, workspace)) names.push(relative(listed, entry.path));
  }
  const inFolder = (kind: string) => names.filter((each) => each.startsWith(`${kind}/`));
  const isOther = (each: string) =>
    each !== "SKILL.md" && !namedFolders.some((kind) => each.startsWith(`${kind}/`));
  return {
    name,
    description,
    folder,
    content: await bodyOf(text, skillFile(path)),
    references: inFolder("references"),
    scripts: inFolder("scripts"),
    assets: inFolder("assets"),
    otherFiles: names.filter(isOther),
    hasMoreFiles: truncated,
  };
}

const namedFolders = ["references", "scripts", "assets"];

/** A link counts as a file if it leads to one in the workspace. */
async function isFileInside(
  { type, path }: DirectoryEntry,
  workspace: LoadOptions["workspace"],
): Promise<boolean> {
  if (type !== "link") return type === "file";
  const { inside, kind } = await workspace.resolve(path);
  return inside && kind === "file";
}

/** The instructions below the front matter. The file may have changed since it was found, and no longer be valid. */
async function bodyOf(text: string, file: string): Promise<string> {
  try {
    const { body } = await readFrontMatter(text);
    return body.replace(/^\s*\n/, "");
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new ToolError(
      "conflict",
      `${file}:${error.line} has changed and is no longer valid: ${error.message}`,
      { retryable: true },
    );
  }
}
