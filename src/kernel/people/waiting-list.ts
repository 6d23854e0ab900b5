import { ToolError } from "../../tool/tool-error.ts";
import type { ApprovalRequest, DecisionDetails } from "./approvals.ts";
import type { QuestionRequest } from "./questions.ts";

/** Something that waits for a person: for a yes or no, or for an answer. Capabilities may add members. */
export interface WaitingItem {
  /** Begins with its kind and a colon, such as `call:`. */
  readonly id: string;
  /** `call`, `question`, `mcp` or `tool`; later versions may have more. */
  readonly kind: string;
  /** A decision, or an answer. Each can be declined with `deny`. */
  readonly takes: "decision" | "answer";
  /** A short description of the entry. */
  readonly title: string;
  /** All that a person should know before deciding; safe to be printed. */
  readonly text: string;
  /** For a call. */
  readonly call?: ApprovalRequest;
  /** For a question of a tool. */
  readonly question?: QuestionRequest;
}

/** An item as its kind lists it. */
export type WaitingEntry = Omit<WaitingItem, "kind" | "takes">;

export type WaitingAnswer = Omit<DecisionDetails, "by">;

/** What a person says to something that waits: a decision, or the answer to a question. */
export type Said = Decided | { readonly answer: unknown };

interface Decided extends WaitingAnswer {
  readonly decision: "allow" | "deny";
}

/**
 * One kind of things that wait for a person. A capability declares its own (`waiting`): from then on `toolwright approvals`,
 * `approve`, `deny` and `answer`, and `runtime.approvals`, know it.
 */
export interface WaitingKind {
  /** Its ids begin with it and a colon. */
  readonly name: string;
  readonly takes: WaitingItem["takes"];
  list(options?: { readonly columns?: number }): Promise<readonly WaitingEntry[]>;
  /** Rejects if nothing of this id waits any more, or if the answer does not fit; then it goes on waiting. */
  settle(id: string, said: Said): Promise<void>;
}

/** Everything that waits for a person, in every session and process of the store. */
export interface RuntimeApprovals {
  /** `columns`: the width of the screen that their texts are for. */
  list(options?: { readonly columns?: number }): Promise<readonly WaitingItem[]>;
  /** Decides by the id that `list` gives. Rejects if it was decided before, or does not wait any more. */
  decide(id: string, decision: "allow" | "deny", answer?: WaitingAnswer): Promise<void>;
  /**
   * Answers a question by the id that `list` gives: with a text, or for a form with an object. Rejects if the answer does
   * not fit the question, which then goes on waiting, and if it was answered before.
   */
  answer(id: string, given: unknown): Promise<void>;
}

export function openWaitingList(kinds: readonly WaitingKind[]): RuntimeApprovals {
  const kindOf = (id: string): WaitingKind => {
    const kind = kinds.find(({ name }) => id.startsWith(`${name}:`));
    if (kind !== undefined) return kind;
    const known = kinds.map(({ name }) => `${name}:…`).join(", ");
    throw new ToolError("not-found", `${JSON.stringify(id)} is not the id of anything that waits: ${known}`, {
      hint: "`toolwright approvals` lists what waits, with ids.",
    });
  };
  return {
    async list(options) {
      const listed = kinds.map(async ({ name: kind, takes, list }) =>
        (await list(options)).map((entry) => ({ ...entry, kind, takes })),
      );
      return (await Promise.all(listed)).flat();
    },
    async decide(id, decision, answer = {}) {
      await kindOf(id).settle(id, { ...answer, decision });
    },
    async answer(id, given) {
      const { name, takes, settle } = kindOf(id);
      if (takes === "decision")
        throw new TypeError(`${name}:… takes a yes or no: \`toolwright approve\` or \`deny\``);
      await settle(id, { answer: given });
    },
  };
}

/**
 * A plain yes or no, for a server or tool that stays approved until it changes. Throws `refusal` if it should last
 * otherwise.
 */
export function plainDecision(said: Said, refusal: string): Decided {
  if ("answer" in said) throw new TypeError(refusal);
  const { lasts = "always", stop } = said;
  if (lasts !== "always" || stop) throw new TypeError(refusal);
  return said;
}
