import { ToolError } from "../../tool/tool-error.ts";
import type { ApprovalRequest, DecisionDetails } from "../people/approvals.ts";
import type { QuestionRequest } from "../people/question-records.ts";

/** Something that waits for a person: for a yes or no, or for an answer. Capabilities add what is only theirs. */
export interface WaitingItem {
  /** Begins with the prefix of its kind: `call:`, `question:`, `mcp:`, `tool:`. */
  readonly id: string;
  /** A short description of the entry. */
  readonly title: string;
  /** All that a person should know before deciding; safe to be printed. */
  readonly text: string;
  /** For a call. */
  readonly call?: ApprovalRequest;
  /** For a question of a tool. */
  readonly question?: QuestionRequest;
}

export type WaitingAnswer = Omit<DecisionDetails, "by">;

/**
 * One kind of things that wait for a person. A capability declares its own (`waiting`): from then on `toolwright approvals`,
 * `approve`, `deny` and `answer`, and `runtime.approvals`, know it.
 */
export interface WaitingKind {
  /** Of its ids, with the colon. */
  readonly prefix: string;
  list(options?: { readonly columns?: number }): Promise<readonly WaitingItem[]>;
  /** Rejects if nothing of this id waits any more. */
  decide(id: string, decision: "allow" | "deny", answer: WaitingAnswer): Promise<void>;
  /** For what waits for more than a yes or no. Rejects if the answer does not fit, and it goes on waiting. */
  answer?(id: string, given: unknown): Promise<void>;
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
    const kind = kinds.find(({ prefix }) => id.startsWith(prefix));
    if (kind !== undefined) return kind;
    const known = kinds.map(({ prefix }) => `${prefix}…`).join(", ");
    throw new ToolError("not-found", `${JSON.stringify(id)} is not the id of anything that waits: ${known}`, {
      hint: "`toolwright approvals` lists what waits, with ids.",
    });
  };
  return {
    async list(options) {
      return (await Promise.all(kinds.map((kind) => kind.list(options)))).flat();
    },
    async decide(id, decision, answer = {}) {
      await kindOf(id).decide(id, decision, answer);
    },
    async answer(id, given) {
      const { prefix, answer } = kindOf(id);
      if (answer === undefined)
        throw new TypeError(`${prefix}… takes a yes or no: \`toolwright approve\` or \`deny\``);
      await answer(id, given);
    },
  };
}
