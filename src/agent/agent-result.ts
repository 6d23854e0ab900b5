import type { TokenUsage } from "../runtime/events/agent-event.ts";
import type { AgentEndReason } from "../tool/services/agents.ts";

/** What became of a message's work. */
export interface AgentResult {
  readonly reason: AgentEndReason;
  /** What the model said last. */
  readonly text: string;
  readonly steps: number;
  readonly usage: TokenUsage;
  readonly sessionId: string;
  readonly error?: { readonly message: string };
}
