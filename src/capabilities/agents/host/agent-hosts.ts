import { type CallHost, explainCall } from "../../../kernel/call/index.ts";
import type { ModelPrices, TokenUsage } from "../../../kernel/events/index.ts";
import type { RunningSession } from "../../../kernel/runtime/index.ts";
import { type Budget, readConversation, readLog, type SessionLog } from "../../../kernel/session/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { readNotesNear, readProjectNotes } from "../context/project-notes.ts";
import { messageUses } from "../context/token-meter.ts";
import type { AgentContents, AgentHost, AgentNotes, AgentSpending } from "./agent-host.ts";
import type { AgentRights, AgentRuntimeParts } from "./agent-runtime-parts.ts";
import { createAgentTools, type ToolParts } from "./agent-tools.ts";

interface AgentSession extends Pick<RunningSession, "agenda" | "turn" | "onMessage">, ToolParts {
  readonly log: SessionLog;
}

/** Makes the host of each agent in a session, with the tools that the agent may use. */
export function createAgentHosts(
  parts: AgentRuntimeParts,
  session: AgentSession,
): (rights: AgentRights) => Promise<AgentHost> {
  const { store, workspace, redactor, options } = parts;
  const { host, log, kept, turn, agenda, onMessage, subAgents } = session;
  const { id } = host.session;
  const { refresh, takeNews, untilNews } = subAgents;
  const spending = createSpending(host.budget, options.prices);
  const messageUse = kept(messageUses);
  const shared = {
    sessionId: id,
    workspace: workspace.root,
    redactor,
    log,
    past: {
      readLog: (since: number) => readLog(store, id, since),
      readConversation: (before: number) => readConversation(store, id, { before }),
    },
    contents: contentsOf(parts, host),
    control: {
      turn,
      onMessage,
      openCalls: host.run.openCalls,
      countStops: () => host.people.approvals.stops,
    },
    notes: notesOf(parts, host),
    agenda: { ...agenda, refresh, takeNews, untilNews },
  };
  return async (rights) => {
    const { meter, cacheKey = id } = rights;
    return {
      ...shared,
      cacheKey,
      spending: { ...spending, meter, messageUse },
      tools: await createAgentTools(parts, session, { ...rights, cacheKey }),
    };
  };
}

function contentsOf({ blobs }: AgentRuntimeParts, { kept: { output: keepOutput } }: CallHost): AgentContents {
  return {
    keepOutput,
    keepBytes: async (bytes) => {
      const { hash, kept } = await blobs.keepBytes(bytes);
      return kept ? hash : undefined;
    },
    readBytes: blobs.read,
  };
}

function notesOf({ workspace: { root }, readTool }: AgentRuntimeParts, host: CallHost): AgentNotes {
  const mayRead = async (path: string) => {
    if (readTool === undefined) return false;
    const { decision } = await explainCall(host, { name: readTool, input: { path } });
    return decision === "allow";
  };
  return {
    ofProject: () => readProjectNotes({ root, mayRead }),
    near: (files, isGiven) => readNotesNear(files, { root, mayRead, isGiven }),
  };
}

/** Charges the cost of the session's model to the session's budget and those of its parents. */
function createSpending(
  budget: Budget,
  prices: ModelPrices = {},
): Omit<AgentSpending, "meter" | "messageUse"> {
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
  const amountOf = (model: string, usage: TokenUsage) => ({
    tokens: usage.inputTokens + usage.outputTokens,
    cost: costOf(model, usage),
  });
  return {
    check: (model) => void costOf(model, { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }),
    charge: (model, usage) => budget.chargeTokens(amountOf(model, usage)),
    reserve: (model, usage) => budget.reserve(amountOf(model, usage)),
    leftTokens: () => budget.left("tokens"),
    isSpent: () => budget.left("tokens") <= 0 || budget.left("cost") <= 0,
  };
}
