import { cannotRead, checkDefinitions, type DefinitionList } from "../../kernel/definitions/index.ts";
import {
  capability,
  type OpeningRuntime,
  type OpeningSession,
  type RunningSession,
  type RuntimePart,
} from "../../kernel/runtime/index.ts";
import { isAliveIn, ownLifeIn } from "../../kernel/store/index.ts";
import { agentsService } from "./agents-service.ts";
import { messageUses } from "./context/token-meter.ts";
import { createAgentHosts } from "./host/agent-hosts.ts";
import type { AgentRights, AgentRuntimeParts } from "./host/agent-runtime-parts.ts";
import { openAgent, type SessionAgent, type SessionAgentOptions } from "./open-agent.ts";
import { agentRecords } from "./sub-agents/agent-record.ts";
import type { ChildMaker } from "./sub-agents/child-agent.ts";
import type { SpawningSession } from "./sub-agents/open-child-agent.ts";
import {
  defaultSubAgentLimits,
  type SubAgentOptions,
  subAgentOptions,
} from "./sub-agents/sub-agent-options.ts";
import { openSubAgents, type SubAgentList } from "./sub-agents/sub-agents.ts";
import type { AgentTemplate } from "./sub-agents/templates/agent-template.ts";
import {
  createTemplateCatalogue,
  type TemplateCatalogue,
} from "./sub-agents/templates/template-catalogue.ts";
import run from "./tools/agent/run.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Limits and templates for sub-agents. */
    readonly agents?: SubAgentOptions;
  }
}

declare module "../../kernel/runtime/runtime.ts" {
  interface Runtime {
    /** Creates an agent: a model that works with the tools of a session. */
    agent(options: SessionAgentOptions): SessionAgent;
    /** The current templates for sub-agents, and the template files that cannot be used. */
    readonly agents: DefinitionList<AgentTemplate>;
  }
}

declare module "../../kernel/runtime/session.ts" {
  interface Session {
    /** Its sub-agents and their progress. */
    readonly agents: SubAgentList;
  }
}

/** Agents of code, and the sub-agents that tools spawn. */
export const agentsCapability = capability({
  name: "agents",
  options: subAgentOptions,
  services: { agents: agentsService },
  kept: [agentRecords, messageUses],
  tools: [run],
  roles: { ruleSubjects: { [run.name]: "kind" } },
  doctor: {
    async onMachine() {
      const { checkModels } = await import("./models/list-providers.ts");
      return checkModels(process.env);
    },
    inRuntime: ({ agents }) => checkDefinitions("kinds of agents", agents),
  },
  open: openAgents,
});

function openAgents({
  workspace,
  options,
  offers,
}: Pick<OpeningRuntime, "workspace" | "options" | "offers">): RuntimePart {
  const { openReading = cannotRead } = offers;
  const templates = createTemplateCatalogue(options.agents?.templates ?? {}, { workspace, openReading });
  const { list, problems } = templates;
  return {
    prepare: list,
    view: ({ allowedKinds }) => ({
      get agents() {
        const known = templates.known();
        return allowedKinds === undefined ? known : known.filter(({ name }) => allowedKinds.includes(name));
      },
    }),
    session: (session) => openInSession(session, templates),
    members: (runtime) => ({
      agent: (agentOptions) => openAgent(agentOptions, runtime),
      agents: { list, problems },
    }),
    // Its templates stay those of the workspace that the runtime was opened in.
    inFolder: (moved) => ({
      ...openAgents({ ...moved, offers }),
      session: (session) => openInSession(session, templates),
    }),
  };
}

/** Opening also handles the sub-agents that an earlier run lost. */
async function openInSession(session: OpeningSession, templates: TemplateCatalogue) {
  const { log, kept, parent, tools, store, redactor, options } = session;
  const { view, limitTools, allows } = tools;
  const parts: AgentRuntimeParts = { ...session, view, limitTools, templates, agentTool: run.name };
  const { maxDepth, maxRunning } = { ...defaultSubAgentLimits, ...options.agents };
  const spawner = { ...(parent ?? { depth: 0, maxDepth }), session };
  const subAgents = await openSubAgents({
    maker: childMaker(parts, spawner, allows),
    log,
    redactor,
    records: kept(agentRecords),
    maxRunning,
    ownProcess: () => ownLifeIn(store),
    isAlive: (process) => isAliveIn(store, process),
  });
  const { list, cancel, background } = subAgents;
  return {
    services: { agents: await agentsService.open(subAgents) },
    background,
    working: () => list().flatMap(({ id: agent, status }) => (status === "in_progress" ? [agent] : [])),
    members: ({ host, turn, agenda, onMessage }: RunningSession) => {
      const agentHost = createAgentHosts(parts, {
        ...{ host, log, kept, turn, agenda, onMessage, subAgents },
        sessionTools: tools.choice,
        allowance: tools.allowance,
      });
      // Only agents use the host, so the type of a session does not name it.
      return { agents: { list, cancel }, ...{ agentHost } };
    },
  };
}

/** Loads its modules when the first agent is spawned, since most sessions spawn none. */
function childMaker(
  parts: AgentRuntimeParts,
  spawner: SpawningSession,
  allows: AgentRights["allows"],
): ChildMaker {
  return {
    async open(plan) {
      const { openChildAgent } = await import("./sub-agents/open-child-agent.ts");
      const limits = [allows, plan.parent.allows].filter((limit) => limit !== undefined);
      const parent = { ...plan.parent, allows: (tool: string) => limits.every((limit) => limit(tool)) };
      return openChildAgent(parts, spawner, { ...plan, parent });
    },
    async endLost(lost) {
      const { endLostChild } = await import("./sub-agents/open-child-agent.ts");
      await endLostChild(parts, spawner, lost);
    },
    async salvage({ worktree, title }, signal) {
      if (worktree === undefined) return undefined;
      const { finishPlace } = await import("./sub-agents/child-place.ts");
      return finishPlace(worktree, title, signal);
    },
    async tidy() {
      const { tidyPlaces } = await import("./sub-agents/child-place.ts");
      await tidyPlaces(parts);
    },
  };
}
