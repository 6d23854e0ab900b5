import type { AgentKind } from "../../tool/services/agents.ts";
import type { SkillSummary } from "../../tool/services/skills.ts";
import type { SessionView } from "../../tool/tool-context.ts";

export interface SessionViewParts extends Pick<SessionView, "id" | "workspace" | "dialect" | "mode"> {
  readonly skillCatalogue: { known(): readonly SkillSummary[] };
  readonly templates: { known(): readonly AgentKind[] };
  /** The kinds of agents that may be spawned. Default: all of them. */
  readonly allowedKinds: readonly string[] | undefined;
}

/** What tool descriptions may depend on. Kinds of agents that may not be spawned are left out. */
export function createSessionView(parts: SessionViewParts): SessionView {
  const { id, workspace, dialect, mode, skillCatalogue, templates, allowedKinds } = parts;
  return {
    id,
    workspace,
    dialect,
    mode,
    get skills() {
      return skillCatalogue.known();
    },
    get agents() {
      const known = templates.known();
      return allowedKinds === undefined ? known : known.filter(({ name }) => allowedKinds.includes(name));
    },
  };
}
