import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import type { AgentParts, LogCursor } from "../agent-run.ts";
import { shownImages } from "../models/shown-images.ts";
import { rebuildTranscript } from "./rebuild-transcript.ts";

/**
 * Makes the conversation again from the log where others have worked in the session, in an earlier process, in another
 * one, or beside this agent. Nothing may be said to the agent meanwhile.
 */
export async function catchUp(parts: AgentParts): Promise<void> {
  const { host, model, inbox, own } = parts;
  const hasOthers = await findOthers(host.readLog(own.since), own);
  own.messages = 0;
  if (!hasOthers) return;
  parts.transcript = await rebuildTranscript(noteEntries(host.readLog(0), own), {
    imageTypes: shownImages(model),
    readBytes: host.readBytes,
  });
  // It is in the log, and so in the conversation by now.
  inbox.take();
}

async function findOthers(log: AsyncIterable<LoggedEvent>, own: LogCursor): Promise<boolean> {
  let messages = 0;
  for await (const event of noteEntries(log, own)) {
    if ("runId" in event && event.runId !== own.runId) return true;
    if (event.type === "user-message") messages += 1;
  }
  return messages !== own.messages;
}

async function* noteEntries(log: AsyncIterable<LoggedEvent>, own: LogCursor): AsyncGenerator<LoggedEvent> {
  for await (const event of log) {
    own.since = event.sequence;
    if (event.type === "agent-start") own.others.set(event.runId, event.process);
    if (event.type === "agent-end") own.others.delete(event.runId);
    yield event;
  }
}
