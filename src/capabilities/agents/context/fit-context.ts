import type { CutMessage, MaskedCall } from "../../../kernel/events/index.ts";
import { cutBesideQuotes } from "../../../shared/markdown/cut-beside-quotes.ts";
import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type {
  StepEntry,
  ToolOutput,
  Transcript,
  TranscriptCall,
  UserEntry,
} from "../transcript/transcript.ts";

export interface ContextLimit {
  /** Limit for the whole prompt, in characters. */
  readonly maxSize: number;
  /** Size of the instructions and tools, which every prompt contains. */
  readonly fixedSize: number;
  /** Stores a text where the model can read it again, and returns the path. */
  keepOutput(text: string): Promise<string>;
}

// The steps that the model still works with.
const recentSteps = 3;
const recentMessages = 10;
// The task and the latest message are never dropped.
const fewestMessages = 2;
// Well below the limit, so that the next trim is far off: each one invalidates the provider's prompt cache.
const roomShare = 0.6;

/**
 * Brings the conversation within the limit. First long messages are cut and outputs of old calls masked, oldest first,
 * with the originals stored; then old steps are dropped; then the largest recent outputs are masked; then anything else
 * goes. Undefined if the conversation fits as it is.
 */
export async function fitContext(transcript: Transcript, limit: ContextLimit) {
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
  // Once over the limit, drop more than needed, so that not every step drops one.
  dropSteps(recentSteps, isOver(1) ? roomShare : 1);
  dropMessages(recentMessages);
  const largest = worthMasking(steps()).toSorted((one, other) => other.size - one.size);
  await maskWhile(largest, 1);
  // Last resort: losing the rest is better than a prompt that the provider refuses every time.
  dropMessages(fewestMessages, () => isOver(1) && sizeOf(messages()) > limit.maxSize / 2);
  dropSteps(0, 1);
  dropMessages(fewestMessages);
  return { cutMessages, masked, droppedSteps, droppedMessages };
}

// The share of the whole context that one message may take.
const messageShare = 0.25;

/** Cuts messages that alone take up too much of the context, and stores them whole. */
async function cutLongMessages(
  transcript: Transcript,
  { maxSize, keepOutput }: ContextLimit,
): Promise<CutMessage[]> {
  const cuts: CutMessage[] = [];
  const maxCharacters = Math.floor(maxSize * messageShare);
  for (const [place, entry] of transcript.entries.entries()) {
    if (entry.kind !== "user" || entry.text.length <= maxCharacters) continue;
    const storedPath = await keepOutput(entry.text).catch(() => undefined);
    const cut = { place, maxCharacters, ...defined({ storedPath }) };
    cutMessage(transcript, cut);
    cuts.push(cut);
  }
  return cuts;
}

export function cutMessage(transcript: Transcript, { place, maxCharacters, storedPath }: CutMessage): void {
  const entry = transcript.entries[place];
  if (entry?.kind !== "user") return;
  const note = storedPath === undefined ? undefined : `the full message is in ${storedPath}`;
  const { text } = cutBesideQuotes(entry.text, { maxCharacters, headShare: 0.5, note });
  transcript.cutMessage(entry, text);
}

function sizeOf(messages: readonly UserEntry[]): number {
  return messages.reduce((size, { text }) => size + text.length, 0);
}

// About the size of the note that replaces the output.
const leastMasked = 400;

function worthMasking(steps: readonly StepEntry[]): TranscriptCall[] {
  return steps.flatMap(({ calls }) => calls).filter((call) => !call.isMasked && call.size > leastMasked);
}

async function maskCall(
  transcript: Transcript,
  call: TranscriptCall,
  { keepOutput }: ContextLimit,
): Promise<MaskedCall> {
  const storedPath = await keepOutput(textOf(call.output)).catch(() => undefined);
  transcript.mask(call, maskNote(call, storedPath));
  return { callId: call.part.callId, ...defined({ storedPath }) };
}

/** Replaces an output that was removed. */
export function maskNote({ output }: TranscriptCall, storedPath: string | undefined): string {
  const where =
    storedPath === undefined ? "call again if you need it" : `the full output is in ${storedPath}`;
  return `[${countOf(textOf(output).length, "character")} of output removed here to save space; ${where}.]`;
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
