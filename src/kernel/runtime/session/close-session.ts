import { ToolError } from "../../../tool/tool-error.ts";
import type { CallHost } from "../../call/call-host.ts";
import { tellHooks } from "../../call/hooks/event-hooks.ts";
import type { OwnedSession } from "../../session/own-session.ts";
import { releaseWrite } from "../../session/own-session.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { OpenState } from "./open-state.ts";
import type { OfferedTools } from "./opening-session.ts";
import type { SessionPart } from "./session-part.ts";
import { closeParts } from "./session-parts.ts";

export interface ServedSession {
  readonly host: CallHost;
  readonly state: OpenState;
  readonly tools: OfferedTools;
  readonly parts: readonly SessionPart[];
  readonly owned: OwnedSession;
}

/** How the session ends: closed by its user, or lost to another process. */
export function createClosing(
  { hooks, store }: RunningRuntime,
  { host, state, parts, owned }: ServedSession,
  stopInbox: () => void,
) {
  const { log, run, openCalls, reads, ending } = state;
  const { id } = host.session;
  const closed = Promise.withResolvers<void>();
  const close = async (because: Error): Promise<void> => {
    if (openCalls.isClosed) return closed.promise;
    try {
      // `cancelAll` marks the session closed before it first waits, so a second close waits for this one.
      await openCalls.cancelAll(because);
      await tellHooks(hooks().event, { event: "SessionEnd", sessionId: id });
      stopInbox();
      await closeParts(parts);
      // A session that another process owns by now is not ours to end.
      if (because instanceof ToolError) return;
      // From here on the session may be another's, who reads its variables.
      await log.flush();
      run.end();
      log.noteVariable(releaseWrite(id, owned));
      await log.append([{ type: "session-close" }]);
      await store.closeSession(id);
    } finally {
      state.release();
      ending.abort();
      // Event streams read their last events before the store may be closed.
      await reads.settled();
      closed.resolve();
    }
  };
  return { close, closed: closed.promise };
}
