import { checkDefinitions, type DefinitionList } from "../../kernel/definitions/definitions.ts";
import { cannotRead } from "../../kernel/definitions/read-place.ts";
import type { WorkspacePaths } from "../../kernel/policy/paths/workspace-paths.ts";
import { capability, type RuntimePart } from "../../kernel/runtime/capability.ts";
import type { OpeningRuntime } from "../../kernel/runtime/opening.ts";
import type { OpenService, Service } from "../../kernel/services/service.ts";
import type { SkillSummary } from "../../tool/services/skills.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import { loadSkill } from "./load-skill.ts";
import { createSkillCatalogue, type SkillCatalogue } from "./skill-catalogue.ts";
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

interface SkillsParts {
  readonly skillCatalogue: SkillCatalogue;
  readonly workspace: WorkspacePaths;
}

/** Finds skills in folders of the workspace, and loads them when they are needed. */
const skillsService: Service<"skills", SkillsParts, OpenService<"skills">> = {
  offers: "skills",
  open: ({ skillCatalogue: catalogue, workspace }) => ({
    forCall: (_gate, { services }) => ({
      list: catalogue.list,
      load: (name) => loadSkill(name, { catalogue, workspace, files: services.files }),
    }),
  }),
};

/** Skills of the project and the user. */
export const skillsCapability = capability({
  name: "skills",
  services: { skills: skillsService },
  tools: [load, learn],
  roles: { wantedTools: ({ skills = [] }: SessionView) => (skills.length > 0 ? [load.name] : []) },
  doctor: {
    inRuntime: ({ skills }) => checkDefinitions("skills", skills),
  },
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
        skills: await skillsService.open({ skillCatalogue: catalogue, workspace: session.workspace }),
      },
      members,
    }),
    members,
    inFolder: (moved) => openSkills({ ...moved, offers }),
  };
}
