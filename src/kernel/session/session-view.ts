import type { AgentKind } from "../../tool/services/agents.ts";
import type { DatabaseSummary } from "../../tool/services/databases.ts";
import type { SkillSummary } from "../../tool/services/skills.ts";
import type { SessionView } from "../../tool/tool-context.ts";

export interface SessionViewParts extends Pick<SessionView, "id" | "workspace" | "dialect"> {
  readonly mode: { readonly current: SessionView["mode"] };
  readonly skillCatalogue: { known(): readonly SkillSummary[] };
  readonly templates: { known(): readonly AgentKind[] };
  /** The kinds of agents that may be spawned. Default: all of them. */
  readonly allowedKinds: readonly string[] | undefined;
  readonly databases: readonly DatabaseSummary[] | undefined;
}

/** What tool descriptions may depend on. Kinds of agents that may not be spawned are left out. */
export function createSessionView(parts: SessionViewParts): SessionView {
  const { id, workspace, dialect, mode, skillCatalogue, templates, allowedKinds, databases = [] } = parts;
  return {
    id,
    workspace,
    dialect,
    get mode() {
      return mode.current;
    },
    databases,
    get skills() {
      return skillCatalogue.known();
    },
    get agents() {
      const known = templates.known();
      return allowedKinds === undefined ? known : known.filter(({ name }) => allowedKinds.includes(name));
    },
  };
}
