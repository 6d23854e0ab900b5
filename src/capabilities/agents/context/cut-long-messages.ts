import type { CutMessage } from "../../../kernel/events/agent-event.ts";
import { cutBesideQuotes } from "../../../shared/markdown/cut-beside-quotes.ts";
import type { Transcript } from "../transcript/transcript.ts";

// Of the whole context.
const messageShare = 0.25;

/** Cuts messages that alone take up too much of the context, and stores them whole. */
export async function cutLongMessages(
  transcript: Transcript,
  { maxSize, keepOutput }: { maxSize: number; keepOutput(text: string): Promise<string> },
): Promise<CutMessage[]> {
  const cuts: CutMessage[] = [];
  const maxCharacters = Math.floor(maxSize * messageShare);
  for (const [place, entry] of transcript.entries.entries()) {
    if (entry.kind !== "user" || entry.text.length <= maxCharacters) continue;
    const storedPath = await keepOutput(entry.text).catch(() => undefined);
    const cut = { place, maxCharacters, ...(storedPath !== undefined && { storedPath }) };
    cutMessage(transcript, cut);
    cuts.push(cut);
  }
  return cuts;
}

export function cutMessage(transcript: Transcript, { place, maxCharacters, storedPath }: CutMessage): void {
  const entry = transcript.entries[place];
  if (entry?.kind !== "user") return;
  const note = storedPath === undefined ? undefined : `the full message is in ${storedPath}`;
  const { text } = cutBesideQuotes(entry.text, { maxCharacters, headShare: 0.5, ...(note && { note }) });
  transcript.cutMessage(entry, text);
}
