import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";
import { describeStart } from "./describe-call.ts";

/** The calls that a model made, and the running ones among them; other calls of the session, such as previews, are left out. */
export interface ModelCalls {
  /** Running calls: id to description. */
  readonly running: ReadonlyMap<string, string>;
  note(event: LoggedEventOf<"assistant-message">): void;
  /** Describes the call; undefined if the model did not make it. */
  start(event: LoggedEventOf<"call-start">, workspace: string): string | undefined;
  /** Notes the end of a call. Returns whether the model made it. */
  end(callId: string): boolean;
  /** Leaves a running call out, because other lines take its place. Returns whether it ran. */
  hide(callId: string): boolean;
  clear(): void;
}

export function createModelCalls(): ModelCalls {
  const made = new Set<string>();
  const running = new Map<string, string>();
  return {
    running,
    note({ content }) {
      for (const part of content) if (part.type === "tool-call") made.add(part.callId);
    },
    start(event, workspace) {
      if (!made.has(event.callId)) return undefined;
      const text = describeStart(event, workspace);
      running.set(event.callId, text);
      return text;
    },
    end(callId) {
      running.delete(callId);
      return made.delete(callId);
    },
    hide: (callId) => running.delete(callId),
    clear() {
      made.clear();
      running.clear();
    },
  };
}

/** Names the first text, and the number of the others. */
export function describeFirst([first, ...others]: readonly string[]): string | undefined {
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}
