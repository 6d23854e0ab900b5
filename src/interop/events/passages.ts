import type { LoggedEventOf } from "../../runtime/events/session-event.ts";

/** A piece of what a model says, of one kind, that begins and ends. */
export interface Passage {
  readonly kind: "text" | "reasoning";
  /** All of it so far. */
  readonly text: string;
  readonly step: number;
  /** Of the event it began with, so that it is the same for everybody who reads the log. */
  readonly id: string;
}

export type DeltaEvent = LoggedEventOf<"text-delta" | "reasoning-delta">;

/** Makes passages of the log, which has pieces of what is said and at last the whole. */
export interface Passages {
  /** The passage it belongs to, and the one before it where that ends with it. */
  add(event: DeltaEvent): { readonly passage: Passage; readonly isNew: boolean; readonly ended?: Passage };
  /** Ends the one that is open: the model goes on to something else, or has stopped. */
  end(): readonly Passage[];
  /** Ends the one that is open, and gives what no piece was told of as passages that begin and end at once. */
  finish(
    event: LoggedEventOf<"assistant-message">,
  ): readonly { readonly passage: Passage; readonly isNew: boolean }[];
}

export function createPassages(): Passages {
  let open: Passage | undefined;
  let toldKinds = new Set<Passage["kind"]>();

  const end = (): readonly Passage[] => {
    const ended = open;
    open = undefined;
    return ended === undefined ? [] : [ended];
  };

  return {
    add({ type, text, step, sequence }) {
      const kind = type === "text-delta" ? "text" : "reasoning";
      const same = open?.kind === kind ? open : undefined;
      const ended = same === undefined ? open : undefined;
      const { id, text: before } = same ?? { id: `${sequence}`, text: "" };
      const passage: Passage = { kind, step, id, text: before + text };
      open = passage;
      toldKinds.add(kind);
      return { passage, isNew: same === undefined, ...(ended && { ended }) };
    },
    end,
    finish({ content, step, sequence }) {
      const told = toldKinds;
      toldKinds = new Set();
      const texts = content.filter((part) => part.type !== "tool-call");
      const untold = texts.filter(({ type }) => !told.has(type));
      return [
        ...end().map((passage) => ({ passage: { ...passage, text: wholeOf(passage, texts) }, isNew: false })),
        ...untold.map(({ type: kind, text }, index) => ({
          passage: { kind, text, step, id: `${sequence}.${index}` },
          isNew: true,
        })),
      ];
    },
  };
}

/** Who came late has not seen how it began; where there is only one of its kind, that is the whole. */
function wholeOf({ kind, text }: Passage, texts: readonly { type: string; text: string }[]): string {
  const same = texts.filter(({ type }) => type === kind);
  return same.length === 1 ? same[0]!.text : text;
}
