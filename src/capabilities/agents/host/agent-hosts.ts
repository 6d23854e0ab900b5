import { callAll } from "../../../kernel/call/call-all.ts";
import type { CallHost } from "../../../kernel/call/call-host.ts";
import { explainCall } from "../../../kernel/call/explain-call.ts";
import type { PresentedTool } from "../../../kernel/dialects/dialect-view.ts";
import type { ModelPrices, TokenUsage } from "../../../kernel/events/agent-event.ts";
import type { SessionAgenda } from "../../../kernel/runtime/opening.ts";
import { withServices } from "../../../kernel/services/call-services.ts";
import type { AgentTurn } from "../../../kernel/session/agent-turn.ts";
import type { Budget } from "../../../kernel/session/budget.ts";
import { readConversation } from "../../../kernel/session/conversation/read-conversation.ts";
import { readLog } from "../../../kernel/session/event-stream.ts";
import type { SessionKept } from "../../../kernel/session/kept/kept.ts";
import type { SessionLog } from "../../../kernel/session/session-log.ts";
import { catalogueOf } from "../../../kernel/tool-search/catalogue-of.ts";
import { offerIn, openTools, toolChoice } from "../../../kernel/tool-search/open-tools.ts";
import type { SessionTools, ToolAllowance } from "../../../kernel/tool-search/session-tools.ts";
import type { ToolFilter } from "../../../kernel/tool-search/tool-filter.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type AgentUse, agentsForCall } from "../agents-service.ts";
import { readNotesNear, readProjectNotes } from "../context/project-notes.ts";
import { messageUses, type TokenMeter } from "../context/token-meter.ts";
import type { SubAgents } from "../sub-agents/sub-agents.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentRights, Parent } from "./agent-rights.ts";
import type { AgentRuntimeParts } from "./agent-runtime-parts.ts";

/** Makes the host of each agent in a session, with the tools that the agent may use. */
export function createAgentHosts(
  parts: AgentRuntimeParts,
  { host, log, kept, tools: allTools, allowance, agenda, subAgents, onMessage, turn }: AgentSession,
): (rights: AgentRights) => Promise<AgentHost> {
  const { store, workspace, redactor, blobs } = parts;
  const { openCalls } = host.run;
  const { id } = host.session;
  const mayRead = async (path: string) => {
    if (parts.readTool === undefined) return false;
    const { decision } = await explainCall(host, { name: parts.readTool, input: { path } });
    return decision === "allow";
  };
  const shared = {
    sessionId: id,
    workspace: workspace.root,
    log,
    redactor,
    openCalls,
    countStops: () => host.people.approvals.stops,
    turn,
    onMessage,
    keepOutput: host.kept.output,
    spending: spendingOf(host.budget, parts.options.prices),
    messageUse: kept(messageUses),
    keepBytes: async (bytes: Buffer) => {
      const { hash, kept } = await blobs.keepBytes(bytes);
      return kept ? hash : undefined;
    },
    readBytes: blobs.read,
    projectNotes: () => readProjectNotes(workspace.root, mayRead),
    notesNear: (files: readonly string[], isGiven: (path: string) => boolean) =>
      readNotesNear(files, { root: workspace.root, mayRead, isGiven }),
    agentTool: parts.agentTool,
    ...agenda,
    refreshNews: subAgents.refresh,
    takeNews: subAgents.takeNews,
    untilNews: subAgents.untilNews,
    readLog: (since: number) => readLog(store, id, since),
    readConversation: (before: number) => readConversation(store, id, { before }),
  };
  const session = () => host.session;
  const limited = async (allows: ToolFilter | undefined) => {
    if (allows === undefined) return { view: parts.view, tools: allTools };
    const { view, toolSearch } = parts.limitTools(allows);
    return { view, tools: await openTools(toolSearch, { kept, session, allowance }) };
  };
  return async ({ options, allows, offers = allows, meter, cacheKey = id }) => {
    const used = await limited(allows);
    const offered = offers === allows ? used : await limited(offers);
    const chargedHost = (spent: TokenMeter): CallHost => {
      const parent = {
        options,
        meter: spent,
        cacheKey,
        ...(allows && { allows }),
        ...(offers && { offers }),
      };
      const forUse = (use: AgentUse) => subAgents.forCall({ ...parent, ...use }, use);
      return {
        ...host,
        dialect: used.view,
        offerTool: offerIn(offered.tools),
        budget: chargingToo(host.budget, spent),
        services: withServices(host.services, {
          tools: { forCall: () => catalogueOf(offered.tools) },
          agents: { forCall: (gate, call) => agentsForCall(forUse, gate, call) },
        }),
      };
    };
    let active: { readonly entries: unknown; readonly presented: readonly PresentedTool[] } | undefined;
    // Put together once for all steps of a run, which are charged to one meter.
    let charged: { readonly spent: TokenMeter; readonly host: CallHost } | undefined;
    return {
      ...shared,
      cacheKey,
      ...(meter && { meter }),
      activeTools() {
        const entries = offered.tools.active();
        const known = active?.entries === entries ? active.presented : [];
        // Only a description that a function gives may be another than in the step before.
        const presented = entries.map((entry, place) => {
          const isFixed = typeof entry.tool.description === "string";
          return (isFixed && known[place]) || offered.view.present(entry, session());
        });
        active = { entries, presented };
        return presented;
      },
      toolManuals: toolChoice(offered.tools, offered.view).toolManuals,
      async mayRepeat({ id: callId, name }) {
        const entry = used.view.resolve(name)?.entry;
        if (!entry?.tool.traits.idempotent) return false;
        const [sealed, ...others] = await host.kept.receipts({ callId });
        if (sealed?.status !== "sealed" || others.length > 0) return false;
        // A call that was told to stop is not repeated, nor one whose name now means another tool.
        const isCutOff = sealed.code === "unknown-outcome";
        return isCutOff && sealed.tool === entry.name && sealed.toolVersion === entry.versionOf?.();
      },
      callAll(calls, spent) {
        if (charged?.spent !== spent) charged = { spent, host: chargedHost(spent) };
        return callAll(charged.host, calls);
      },
    };
  };
}

/** Charges the cost of the session's model to the session's budget and those of its parents. */
function spendingOf(budget: Budget, prices: ModelPrices = {}): AgentHost["spending"] {
  const costOf = (model: string, { inputTokens, outputTokens, cachedInputTokens }: TokenUsage) => {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (price === undefined) {
      // Without a price, a limit on money would hold nothing back.
      if (budget.left("cost") === Number.POSITIVE_INFINITY) return 0;
      throw new ToolError(
        "unavailable",
        `there is a budget for the model's cost, but no price for ${model}`,
        {
          hint: "Add it to the option prices.",
        },
      );
    }
    const { input, output, cachedInput = input } = price;
    const fresh = inputTokens - cachedInputTokens;
    return (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1_000_000;
  };
  return {
    check: (model) => void costOf(model, { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }),
    charge: (model, usage) =>
      budget.chargeTokens({ tokens: usage.inputTokens + usage.outputTokens, cost: costOf(model, usage) }),
    reserve: (model, usage) =>
      budget.reserve({ tokens: usage.inputTokens + usage.outputTokens, cost: costOf(model, usage) }),
    leftTokens: () => budget.left("tokens"),
    isSpent: () => budget.left("tokens") <= 0 || budget.left("cost") <= 0,
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
    takeWarnings: () => [...meter.takeWarnings(), ...budget.takeWarnings()],
  };
}

interface AgentSession {
  readonly host: CallHost;
  readonly log: SessionLog;
  readonly kept: SessionKept;
  readonly tools: SessionTools;
  readonly allowance: ToolAllowance;
  readonly agenda: SessionAgenda;
  readonly subAgents: SubAgents<Parent>;
  readonly onMessage: AgentHost["onMessage"];
  readonly turn: AgentTurn;
}
