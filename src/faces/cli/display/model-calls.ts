import type { LoggedEventOf } from "../../../kernel/events/index.ts";
import { describeStart } from "./describe-call.ts";
import { formatDuration } from "./format-time.ts";

export type ModelCalls = ReturnType<typeof createModelCalls>;

/** Follows the calls that a model makes; other calls of the session, such as previews, are left out. */
export function createModelCalls() {
  const made = new Set<string>();
  const running = new Map<string, string>();
  return {
    /** Running calls: id to description. */
    running: running as ReadonlyMap<string, string>,
    note({ content }: LoggedEventOf<"assistant-message">) {
      for (const part of content) if (part.type === "tool-call") made.add(part.callId);
    },
    /** Describes the call; undefined if the model did not make it. */
    start(event: LoggedEventOf<"call-start">, workspace: string) {
      if (!made.has(event.callId)) return undefined;
      const text = describeStart(event, workspace);
      running.set(event.callId, text);
      return text;
    },
    /** Notes the end of a call. Returns whether the model made it. */
    end(callId: string) {
      running.delete(callId);
      return made.delete(callId);
    },
    /** Leaves a running call out, because other lines take its place. Returns whether it ran. */
    hide: (callId: string) => running.delete(callId),
    clear() {
      made.clear();
      running.clear();
    },
  };
}

/** Says why a request to the model failed, and when the next one begins. */
export function describeRetry({ reason, delayMs }: LoggedEventOf<"model-retry">): string {
  return `${reason}; trying again in ${formatDuration(delayMs)}`;
}

/** Names the first text, and the number of the others. */
export function describeFirst([first, ...others]: readonly string[]): string | undefined {
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}
