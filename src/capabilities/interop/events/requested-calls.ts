import type { AssistantPart } from "../../../kernel/events/agent-event.ts";
import type { CalledTool } from "../../../kernel/events/session-event.ts";

/** A call as the model named it. */
export interface RequestedCall {
  readonly toolName: string;
  /** The id that the model's provider gave it. */
  readonly toolCallId: string;
}

/** The model's unfinished calls, so that all messages about a call use the same name. */
export interface RequestedCalls {
  add(part: AssistantPart): void;
  /** For a call that no model made, uses the names from the log. */
  find(call: CalledTool): RequestedCall;
  end(callId: string): void;
}

export function createRequestedCalls(): RequestedCalls {
  const calls = new Map<string, RequestedCall>();
  return {
    add(part) {
      if (part.type !== "tool-call") return;
      const { callId, toolName, toolCallId } = part;
      calls.set(callId, { toolName, toolCallId });
    },
    find: ({ callId, tool, calledAs }) =>
      calls.get(callId) ?? { toolName: calledAs ?? tool, toolCallId: callId },
    end(callId) {
      calls.delete(callId);
    },
  };
}
