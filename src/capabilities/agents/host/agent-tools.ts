import { type CallHost, callAll } from "../../../kernel/call/index.ts";
import type { DialectView, PresentedTool } from "../../../kernel/dialects/index.ts";
import { withServices } from "../../../kernel/services/index.ts";
import type { Budget, SessionKept } from "../../../kernel/session/index.ts";
import {
  catalogueOf,
  offerIn,
  openTools,
  type SessionTools,
  type ToolAllowance,
  type ToolFilter,
  toolChoice,
} from "../../../kernel/tool-search/index.ts";
import { agentsForCall } from "../agents-service.ts";
import type { TokenMeter } from "../context/token-meter.ts";
import type { SubAgents } from "../sub-agents/sub-agents.ts";
import type { AgentTools } from "./agent-host.ts";
import type { AgentRights, AgentRuntimeParts, AgentUse } from "./agent-runtime-parts.ts";

export interface ToolParts {
  readonly host: CallHost;
  readonly kept: SessionKept;
  /** All tools of the session. */
  readonly sessionTools: SessionTools;
  readonly allowance: ToolAllowance;
  readonly subAgents: SubAgents;
}

/** The tools that an agent may use, how its model is offered them, and how it calls them. */
export async function createAgentTools(
  { view, limitTools, agentTool }: Pick<AgentRuntimeParts, "view" | "limitTools" | "agentTool">,
  { host, kept, sessionTools, allowance, subAgents }: ToolParts,
  rights: AgentRights,
): Promise<AgentTools> {
  const { options, allows, offers = allows, cacheKey } = rights;
  const limited = async (filter: ToolFilter | undefined) => {
    if (filter === undefined) return { view, tools: sessionTools };
    const { view: inside, toolSearch } = limitTools(filter);
    const session = () => host.session;
    return { view: inside, tools: await openTools(toolSearch, { kept, session, allowance }) };
  };
  const used = await limited(allows);
  const offered = offers === allows ? used : await limited(offers);
  const chargedHost = (meter: TokenMeter): CallHost => {
    const parent = { options, meter, cacheKey, allows, offers };
    const forUse = (use: AgentUse) => subAgents.forCall({ ...parent, ...use });
    return {
      ...host,
      dialect: used.view,
      offerTool: offerIn(offered.tools),
      budget: chargingToo(host.budget, meter),
      services: withServices(host.services, {
        tools: { forCall: () => catalogueOf(offered.tools) },
        agents: { forCall: (gate, call) => agentsForCall(forUse, gate, call) },
      }),
    };
  };
  // Put together once for all steps of a run, which are charged to one meter.
  let charged: { readonly meter: TokenMeter; readonly host: CallHost } | undefined;
  return {
    active: presentActive(offered, host),
    manuals: toolChoice(offered.tools, offered.view).toolManuals,
    spawner: agentTool,
    async mayRepeat({ id: callId, name }) {
      const entry = used.view.resolve(name)?.entry;
      if (!entry?.tool.traits.idempotent) return false;
      const [sealed, ...others] = await host.kept.receipts({ callId });
      if (sealed?.status !== "sealed" || others.length > 0) return false;
      // A call that was told to stop is not repeated, nor one whose name now means another tool.
      const isCutOff = sealed.code === "unknown-outcome";
      return isCutOff && sealed.tool === entry.name && sealed.toolVersion === entry.versionOf?.();
    },
    callAll(calls, meter) {
      if (charged?.meter !== meter) charged = { meter, host: chargedHost(meter) };
      return callAll(charged.host, calls);
    },
  };
}

/** Presents the tools that are offered now: the same list for as long as none of them changes. */
function presentActive(
  { tools, view }: { readonly tools: SessionTools; readonly view: DialectView },
  host: Pick<CallHost, "session">,
): AgentTools["active"] {
  let entries: ReturnType<SessionTools["active"]> | undefined;
  let presented: readonly PresentedTool[] = [];
  /** The places of tools whose descriptions a function gives, which may be others than in the step before. */
  let changing: readonly number[] = [];
  return () => {
    const active = tools.active();
    if (active !== entries) {
      presented = active.map((entry) => view.present(entry, host.session));
      changing = [...active.keys()].filter((place) => typeof active[place]!.tool.description !== "string");
      entries = active;
      return presented;
    }
    for (const place of changing) {
      const again = view.present(active[place]!, host.session);
      if (again.description !== presented[place]!.description) presented = presented.with(place, again);
    }
    return presented;
  };
}

/** The session's budget, and the agent's beside it. */
function chargingToo(budget: Budget, meter: TokenMeter): Budget {
  return {
    ...budget,
    chargeCall(tool) {
      meter.chargeCall();
      budget.chargeCall(tool);
    },
    warnings: [...meter.warnings, ...budget.warnings],
  };
}
