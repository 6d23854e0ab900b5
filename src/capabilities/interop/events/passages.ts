import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";

/** A stretch of a model's text or reasoning. */
export interface Passage {
  readonly kind: "text" | "reasoning";
  /** The whole text so far. */
  readonly text: string;
  readonly step: number;
  /** Derived from its first event, so that it is the same for every reader of the log. */
  readonly id: string;
}

export type DeltaEvent = LoggedEventOf<"text-delta" | "reasoning-delta">;

/** Builds passages from the log, which has deltas and, at the end of a step, the whole message. */
export function createPassages() {
  let open: Passage | undefined;
  let streamedKinds = new Set<Passage["kind"]>();

  /** Ends the open passage, when the model turns to something else or has stopped. */
  const end = (): readonly Passage[] => {
    const ended = open;
    open = undefined;
    return ended === undefined ? [] : [ended];
  };

  return {
    /** The passage that the delta belongs to, and the one before it if the delta ends that. */
    add({ type, text, step, sequence }: DeltaEvent) {
      const kind = type === "text-delta" ? "text" : "reasoning";
      const same = open?.kind === kind ? open : undefined;
      const ended = same === undefined ? end() : [];
      const { id, text: before } = same ?? { id: `${sequence}`, text: "" };
      const passage: Passage = { kind, step, id, text: before + text };
      open = passage;
      streamedKinds.add(kind);
      return { passage, isNew: same === undefined, ended };
    },
    end,
    /** Ends the open passage, and returns parts without deltas as passages that start and end immediately. */
    finish({ content, step, sequence }: LoggedEventOf<"assistant-message">) {
      const streamed = streamedKinds;
      streamedKinds = new Set();
      const texts = content.filter((part) => part.type !== "tool-call");
      const unstreamed = texts.filter(({ type }) => !streamed.has(type));
      return [
        ...end().map((passage) => ({ passage: { ...passage, text: wholeOf(passage, texts) }, isNew: false })),
        ...unstreamed.map(({ type: kind, text }, index) => ({
          passage: { kind, text, step, id: `${sequence}.${index}` },
          isNew: true,
        })),
      ];
    },
  };
}

/** A late reader has missed the beginning; if the message has only one text of this kind, that is the whole. */
function wholeOf({ kind, text }: Passage, texts: readonly { type: string; text: string }[]): string {
  const same = texts.filter(({ type }) => type === kind);
  return same.length === 1 ? same[0]!.text : text;
}
