import { createEkoMessages } from "../../capabilities/interop/events/eko-messages.ts";
import {
  createRequestedCalls,
  type RequestedCalls,
} from "../../capabilities/interop/events/requested-calls.ts";
import type { LoggedEvent, Session } from "../../index.ts";
import type { EkoAgentIdentity } from "./agent-context.ts";
import type { EkoCallback, EkoCallbackMessage } from "./eko-types.ts";

/** Tells a callback what happens in a session, in order. */
export interface Telling {
  /** For what a tool itself has to say: after all that happened before. */
  say(message: EkoCallbackMessage): Promise<void>;
  /** Resolves when the session has closed and all of it was told; rejects with the callback's error. */
  readonly done: Promise<void>;
}

export function tellCallback(session: Session, identity: EkoAgentIdentity, callback: EkoCallback): Telling {
  const translate = createEkoMessages(identity);
  const calls = createRequestedCalls();
  let told = 0;
  let waiting: { readonly until: number; readonly resolve: () => void }[] = [];
  const advance = (to: number) => {
    told = to;
    for (const { until, resolve } of waiting) if (until <= told) resolve();
    waiting = waiting.filter(({ until }) => until > told);
  };
  const tellAll = async () => {
    try {
      for await (const event of session.events({ since: 0 })) {
        noteCalls(event, calls);
        for (const message of translate(event)) {
          // What a tool says while it runs comes from the tool itself.
          if (message.type !== "tool_running") await callback.onMessage(message);
        }
        advance(event.sequence);
      }
    } finally {
      advance(Number.POSITIVE_INFINITY);
    }
  };
  const done = tellAll();
  // The code that awaits it gets the error; until then it must not end the process.
  done.catch(() => {});
  return {
    done,
    async say(message) {
      const until = await session.bookmark();
      if (until > told) await new Promise<void>((resolve) => waiting.push({ until, resolve }));
      await callback.onMessage(withModelsId(message, calls));
    },
  };
}

function noteCalls(event: LoggedEvent, calls: RequestedCalls): void {
  if (event.type === "subagent-event") noteCalls(event.event, calls);
  if (event.type === "assistant-message") for (const part of event.content) calls.add(part);
}

/** A tool knows its call by the runtime's id; all other messages about the call have the model's. */
function withModelsId(message: EkoCallbackMessage, calls: RequestedCalls): EkoCallbackMessage {
  const renamed = { ...message };
  for (const field of ["toolId", "toolCallId"]) {
    const id = message[field];
    if (typeof id === "string") renamed[field] = calls.find({ callId: id, tool: "" }).toolCallId;
  }
  return renamed;
}
