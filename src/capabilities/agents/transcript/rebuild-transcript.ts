import type {
  AssistantPart,
  CallEndEvent,
  LoggedEvent,
  LoggedEventOf,
} from "../../../kernel/events/index.ts";
import { cutMessage, maskNote } from "../context/fit-context.ts";
import { inWords } from "../context/hidden-images.ts";
import type { AgentContents } from "../host/agent-host.ts";
import { outputOf, readImages, type ShownContent, withoutImages } from "../step/tool-output.ts";
import type { MessageImage, UserMessage } from "../user-message.ts";
import { createTranscript, type ToolOutput, type Transcript, type TranscriptCall } from "./transcript.ts";

/**
 * Rebuilds a conversation from the log. Calls that were running when their process ended were sealed and say so in their
 * answers; calls that had not started are answered as not run.
 */
export async function rebuildTranscript(log: AsyncIterable<LoggedEvent>, sight: Sight): Promise<Transcript> {
  const transcript = createTranscript();
  /** Messages that arrived while the model was answering and had not read them yet. */
  let unread: UserMessage[] = [];
  let isAnswering = false;
  const endStep = () => {
    isAnswering = false;
    for (const { text, images } of unread) transcript.addUser(text, images);
    unread = [];
  };
  const open = new Map<string, TranscriptCall>();
  const seen: SeenAnswers = new Map();

  for await (const event of log) {
    switch (event.type) {
      case "user-message": {
        const { text, images = [] } = event;
        const shown = await readMessageImages(images, sight);
        if (isAnswering) unread.push({ text, images: shown });
        else transcript.addUser(text, shown);
        break;
      }
      case "reminder-message":
        transcript.addReminder(event.text);
        break;
      case "step-start":
        isAnswering = true;
        break;
      case "assistant-message": {
        const content = event.content.map((part) => withOwnId(part, transcript));
        const { calls } = transcript.addStep(content, event.finishReason);
        for (const call of calls) open.set(call.part.callId, call);
        endStep();
        break;
      }
      case "call-start": {
        const call = open.get(event.callId);
        if (call !== undefined) transcript.answer(call, stillRunning, true);
        break;
      }
      case "call-end": {
        const call = open.get(event.callId);
        if (call === undefined) break;
        transcript.answer(call, outputOf(resultOf(event)), event.receipt.status === "sealed");
        // A call that was sealed may have been made again.
        if (event.receipt.status !== "sealed") open.delete(event.callId);
        break;
      }
      case "images-show": {
        const call = findCall(transcript, event.callId);
        if (call === undefined) break;
        seen.set(call, { content: event.content, logged: call.output });
        transcript.answer(call, withoutImages(event.content));
        break;
      }
      case "images-hide":
        for (const callId of event.callIds) {
          const call = findCall(transcript, callId);
          if (call === undefined) continue;
          transcript.answer(call, inWords(call.output));
          seen.delete(call);
        }
        break;
      case "context-compact":
        transcript.compact(event);
        break;
      case "context-trim":
        trimAgain(transcript, event);
        break;
      case "agent-start":
      case "agent-end":
        endStep();
        break;
    }
  }
  endStep();
  await showAgain(transcript, seen, sight);
  return transcript;
}

/** Reads the images of a message that are still there. */
async function readMessageImages(
  images: NonNullable<LoggedEventOf<"user-message">["images"]>,
  { readBytes }: Sight,
): Promise<MessageImage[]> {
  const found: MessageImage[] = [];
  for (const { mimeType, name } of images) {
    const bytes = await readBytes(name).catch(() => undefined);
    if (bytes !== undefined) found.push({ mimeType, data: bytes.toString() });
  }
  return found;
}

const stillRunning: ToolOutput = {
  type: "error-text",
  value: "This call is still running in another process; its result is not known here.",
};

/** The images that the model can be shown now. */
interface Sight extends Pick<AgentContents, "readBytes"> {
  readonly imageTypes: ReadonlySet<string>;
}

/** Answers with images, each with the text-only answer from the log. */
type SeenAnswers = Map<TranscriptCall, { readonly content: ShownContent; readonly logged: ToolOutput }>;

/** Gives a call a new id if the transcript has it already: models in two processes may have used it at the same time. */
function withOwnId(part: AssistantPart, { hasCall }: Transcript): AssistantPart {
  if (part.type !== "tool-call" || !hasCall(part.toolCallId)) return part;
  return { ...part, toolCallId: part.callId };
}

function resultOf({ receipt, text }: CallEndEvent) {
  return { status: receipt.status, text, content: [] };
}

function findCall({ entries }: Transcript, callId: string): TranscriptCall | undefined {
  for (const entry of entries.toReversed()) {
    const call = entry.kind === "step" ? entry.calls.find(({ part }) => part.callId === callId) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

/**
 * Shows images again in the answers that are left; an answer whose images are gone, or which this model cannot see, stays
 * text.
 */
async function showAgain(transcript: Transcript, seen: SeenAnswers, sight: Sight): Promise<void> {
  const calls = transcript.entries.flatMap((entry) => (entry.kind === "step" ? entry.calls : []));
  for (const call of calls) {
    const { content, logged } = seen.get(call) ?? {};
    if (content === undefined || logged === undefined || call.isMasked) continue;
    const canSee = content.every((part) => part.type === "text" || sight.imageTypes.has(part.mimeType));
    transcript.answer(call, (canSee ? await readImages(content, sight) : undefined) ?? logged);
  }
}

function trimAgain(transcript: Transcript, event: LoggedEventOf<"context-trim">): void {
  const { cutMessages = [], masked, droppedSteps, droppedMessages } = event;
  for (const cut of cutMessages) cutMessage(transcript, cut);
  for (let count = 0; count < droppedSteps; count += 1) transcript.dropStep();
  for (let count = 0; count < droppedMessages; count += 1) transcript.dropMessage();
  const paths = new Map(masked.map(({ callId, storedPath }) => [callId, storedPath]));
  for (const entry of transcript.entries) {
    if (entry.kind === "user") continue;
    for (const call of entry.calls) {
      const { callId } = call.part;
      if (paths.has(callId)) transcript.mask(call, maskNote(call, paths.get(callId)));
    }
  }
}
