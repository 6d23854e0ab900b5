import type { CutMessage, MaskedCall } from "../../runtime/events/agent-event.ts";
import type {
  StepEntry,
  ToolOutput,
  Transcript,
  TranscriptCall,
  UserEntry,
} from "../transcript/transcript.ts";
import { cutLongMessages } from "./cut-long-messages.ts";

export interface ContextLimit {
  /** What the whole prompt may be, in characters. */
  readonly maxSize: number;
  /** What goes with every prompt: instructions and tools. */
  readonly fixedSize: number;
  /** Keeps a text where the model can read it again. */
  keepOutput(text: string): Promise<string>;
}

export interface TrimmedContext {
  readonly cutMessages: readonly CutMessage[];
  readonly masked: readonly MaskedCall[];
  readonly droppedSteps: number;
  readonly droppedMessages: number;
}

// The model works on what it saw last.
const recentSteps = 3;
const recentMessages = 10;
// What it is all about, and what is asked now.
const fewestMessages = 2;
// Well below the limit, so that it is long until the next time: every change here makes the provider read all anew.
const roomShare = 0.6;

/**
 * Brings the conversation within the limit: what is too long in a message, and the outputs of old calls, oldest first, go
 * first, each kept on disk; then whole old steps; then the largest outputs of the last steps; then whatever else can go.
 * Undefined where it fits as it is.
 */
export async function fitContext(
  transcript: Transcript,
  limit: ContextLimit,
): Promise<TrimmedContext | undefined> {
  const isOver = (share: number) => transcript.size + limit.fixedSize > limit.maxSize * share;
  if (!isOver(1)) return undefined;
  const masked: MaskedCall[] = [];
  let [droppedSteps, droppedMessages] = [0, 0];
  const steps = () => transcript.entries.filter((entry) => entry.kind === "step");
  const messages = () => transcript.entries.filter((entry) => entry.kind === "user");
  const maskWhile = async (calls: readonly TranscriptCall[], share: number) => {
    for (const call of calls) {
      if (!isOver(share)) return;
      masked.push(await maskCall(transcript, call, limit));
    }
  };
  const dropSteps = (kept: number, share: number) => {
    for (; isOver(share) && steps().length > kept; droppedSteps += 1) transcript.dropStep();
  };
  const dropMessages = (kept: number, isTooMuch = () => isOver(1)) => {
    for (; isTooMuch() && messages().length > kept; droppedMessages += 1) transcript.dropMessage();
  };

  const cutMessages = await cutLongMessages(transcript, limit);
  await maskWhile(worthMasking(steps().slice(0, -recentSteps)), roomShare);
  // Some more while at it, so that it is not one at every step.
  dropSteps(recentSteps, isOver(1) ? roomShare : 1);
  dropMessages(recentMessages);
  const largest = worthMasking(steps()).toSorted((one, other) => other.size - one.size);
  await maskWhile(largest, 1);
  // Rather without all the rest than never again: a provider that refuses the prompt once refuses it always.
  dropMessages(fewestMessages, () => isOver(1) && sizeOf(messages()) > limit.maxSize / 2);
  dropSteps(0, 1);
  dropMessages(fewestMessages);
  return { cutMessages, masked, droppedSteps, droppedMessages };
}

function sizeOf(messages: readonly UserEntry[]): number {
  return messages.reduce((size, { text }) => size + text.length, 0);
}

// A note takes about as much.
const leastMasked = 400;

function worthMasking(steps: readonly StepEntry[]): TranscriptCall[] {
  return steps.flatMap(({ calls }) => calls).filter((call) => !call.isMasked && call.size > leastMasked);
}

async function maskCall(
  transcript: Transcript,
  call: TranscriptCall,
  { keepOutput }: ContextLimit,
): Promise<MaskedCall> {
  const { callId } = call.part;
  try {
    const storedPath = await keepOutput(textOf(call.output));
    transcript.mask(call, maskNote(call, storedPath));
    return { callId, storedPath };
  } catch {
    transcript.mask(call, maskNote(call, undefined));
    return { callId };
  }
}

/** What stands in the place of an output that was left out. */
export function maskNote({ output }: TranscriptCall, storedPath: string | undefined): string {
  const where =
    storedPath === undefined ? "call again if it is needed" : `the whole of it is in ${storedPath}`;
  return `[An output of ${textOf(output).length} characters was left out here to save room; ${where}.]`;
}

function textOf(output: ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
    case "execution-denied":
      return output.reason ?? "";
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
  }
}
