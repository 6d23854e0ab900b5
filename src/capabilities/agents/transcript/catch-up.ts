import type { LoggedEvent } from "../../../kernel/events/session-event.ts";
import type { AgentParts, LogCursor } from "../agent-run.ts";
import { shownImages } from "../models/shown-images.ts";
import { rebuildTranscript } from "./rebuild-transcript.ts";

/**
 * Rebuilds the conversation from the log if other agents have worked in the session since this one last read it, in this
 * process or another, or if it was rewound. No message may be sent to the agent meanwhile.
 */
export async function catchUp(parts: AgentParts): Promise<void> {
  const { host, model, inbox, own } = parts;
  const hasOthers = await findOthers(host.past.readLog(own.since), own);
  own.messages = 0;
  if (!hasOthers) return;
  own.notes.clear();
  for (const { path } of parts.notes) own.notes.add(path);
  parts.transcript = await rebuildTranscript(noteGiven(host.past.readConversation(own.since + 1), own), {
    imageTypes: shownImages(model),
    readBytes: host.contents.readBytes,
  });
  // These messages are in the log, so the rebuilt conversation has them already.
  inbox.take();
}

/** Notes that the conversation quotes are not given again; those that it was rewound past are. */
async function* noteGiven(
  conversation: AsyncIterable<LoggedEvent>,
  { notes }: LogCursor,
): AsyncGenerator<LoggedEvent> {
  for await (const event of conversation) {
    if (event.type === "context-compact") notes.clear();
    if (event.type === "reminder-message") for (const { path } of event.notes ?? []) notes.add(path);
    yield event;
  }
}

/** Reads all of it, so that the conversation is then read just as far. */
async function findOthers(log: AsyncIterable<LoggedEvent>, own: LogCursor): Promise<boolean> {
  let messages = 0;
  let hasOthers = false;
  for await (const event of log) {
    own.since = event.sequence;
    const isOthers = "runId" in event && event.runId !== own.runId;
    if (isOthers || conversationTurns.has(event.type)) hasOthers = true;
    if (event.type === "user-message") messages += 1;
  }
  return hasOthers || messages !== own.messages;
}

const conversationTurns: ReadonlySet<LoggedEvent["type"]> = new Set([
  "conversation-rewind",
  "conversation-fork",
]);
