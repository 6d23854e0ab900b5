import type { TokenUsage } from "../../kernel/events/agent-event.ts";
import type { AgentEndReason } from "../../tool/services/agents.ts";

/** How the work on a message ended. */
export interface AgentResult {
  readonly reason: AgentEndReason;
  /** The model's latest text. */
  readonly text: string;
  /** The answer as JSON, checked; only where the run was given a schema and is done. */
  readonly value?: unknown;
  readonly steps: number;
  /** Of the model, and of the models of all sub-agents that worked for this message. */
  readonly usage: TokenUsage;
  readonly sessionId: string;
  readonly error?: { readonly message: string };
}
