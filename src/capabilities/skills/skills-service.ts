import type { WorkspacePaths } from "../../kernel/policy/paths/workspace-paths.ts";
import type { OpenService, Service } from "../../kernel/services/service.ts";
import { loadSkill } from "./load-skill.ts";
import type { SkillCatalogue } from "./skill-catalogue.ts";

export interface SkillsParts {
  readonly skillCatalogue: SkillCatalogue;
  readonly workspace: WorkspacePaths;
}

/** Finds skills in folders of the workspace, and loads them when they are needed. */
export const skillsService: Service<"skills", SkillsParts, OpenService<"skills">> = {
  offers: "skills",
  open: ({ skillCatalogue: catalogue, workspace }) => ({
    forCall: (_gate, { services }) => ({
      list: catalogue.list,
      load: (name) => loadSkill(name, { catalogue, workspace, files: services.files }),
    }),
  }),
};
