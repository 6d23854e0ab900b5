import { capability, type RuntimePart } from "../../kernel/runtime/capability.ts";
import type { OpeningRuntime } from "../../kernel/runtime/opening.ts";
import type { SkillSummary } from "../../tool/services/skills.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import { checkDefinitions, type DefinitionList } from "../definitions/definitions.ts";
import { createSkillCatalogue } from "./skill-catalogue.ts";
import { skillsService } from "./skills-service.ts";
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

function openSkills({ workspace }: Pick<OpeningRuntime, "workspace">): RuntimePart {
  const catalogue = createSkillCatalogue(workspace);
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
    inFolder: openSkills,
  };
}
