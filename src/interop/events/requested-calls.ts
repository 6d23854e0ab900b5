import type { AssistantPart } from "../../runtime/events/agent-event.ts";
import type { CalledTool } from "../../runtime/events/session-event.ts";

/** How a model named a call. */
export interface RequestedCall {
  readonly toolName: string;
  /** The id that the model's provider gave it. */
  readonly toolCallId: string;
}

/** The calls a model has asked for and that have not ended, so that all that is told of one goes under one name. */
export interface RequestedCalls {
  add(part: AssistantPart): void;
  /** For a call that no model asked for, what the log says of it. */
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
