import type { CallEndEvent, LoggedEvent, SessionEvent } from "../../../src/kernel/events/session-event.ts";
import { noEffects } from "../../../src/kernel/policy/verdict.ts";
import type { Store } from "../../../src/kernel/store/store.ts";

export function callEnd(sessionId: string, callId: string, text = "ok"): CallEndEvent {
  return {
    type: "call-end",
    callId,
    receipt: {
      callId,
      sessionId,
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 1,
      caller: { kind: "code", name: "test" },
      tool: "test_tool",
      input: {},
      inputHash: "",
      effects: noEffects,
      status: "done",
      resultHash: "",
    },
    text,
  };
}

export function custom(eventType: string, data?: unknown): SessionEvent {
  return { type: "custom", callId: "call_1", tool: "test_tool", eventType, data };
}

export function progress(update: unknown): SessionEvent {
  return { type: "call-progress", callId: "call_1", tool: "test_tool", update };
}

export async function allEvents(store: Store, sessionId: string): Promise<readonly LoggedEvent[]> {
  return store.readEvents(sessionId, { since: 0, limit: 1_000_000 });
}

/** The numbers from 1 to `last`: what the sequences of a whole log are. */
export function oneTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
