import type { McpApproval } from "../../capabilities/mcp-client/approval/mcp-approvals.ts";
import type { RuntimeMcp } from "../../capabilities/mcp-client/open-mcp-client.ts";
import { labelRows, markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { MadeToolStatus } from "../../tool/services/made.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type ApprovalRequest, approvalLasts, type DecisionDetails } from "./approvals.ts";
import type { QuestionRequest } from "./question-records.ts";

/** Something that waits for a person: for a yes or no, or for an answer. */
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
  /** For an MCP server, or one of its tools. */
  readonly mcp?: McpApproval;
}

export type WaitingAnswer = Omit<DecisionDetails, "by">;

/**
 * One kind of things that wait for a person. Another kind is one more of these in `open-runtime.ts`, where the list is put
 * together: from then on `toolwright approvals`, `approve`, `deny` and `answer`, and `runtime.approvals`, know it.
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

/** MCP servers of the workspace that are not approved yet, and those that changed since. */
export function waitingServers(mcp: Pick<RuntimeMcp, "approvals" | "approve" | "deny">): WaitingKind {
  return {
    prefix: "mcp:",
    async list({ columns = narrowColumns } = {}) {
      return (await mcp.approvals()).map((approval) => ({
        id: approval.id,
        title: approval.kind,
        // Their author wrote it: nothing of it may act on a terminal, or pass for a line of ours.
        text: markRows((approval.diff ?? approval.text).trimEnd(), columns).join("\n"),
        mcp: approval,
      }));
    },
    async decide(id, decision, { lasts = "always", stop }) {
      if (lasts !== "always" || stop)
        throw new TypeError(
          `an MCP server is approved until it changes, so its answer takes neither ${approvalLasts[1]} nor stop`,
        );
      await (decision === "allow" ? mcp.approve(id) : mcp.deny(id));
    },
  };
}

/** Tools that agents have made, and new versions of them. */
export function waitingTools(made: {
  list(): Promise<readonly MadeToolStatus[]>;
  approve(id: string): Promise<void>;
  deny(id: string, why?: string): Promise<void>;
}): WaitingKind {
  return {
    prefix: "tool:",
    async list({ columns = narrowColumns } = {}) {
      const proposed = (await made.list()).filter(({ status }) => status === "proposed");
      return proposed.map(({ id, madeBy, text }) => ({
        id,
        title: "made tool",
        // An agent wrote it, or a repository brings it.
        text: [...labelRows("made by:", madeBy, columns), ...markRows(text.trimEnd(), columns)].join("\n"),
      }));
    },
    async decide(id, decision, { lasts = "always", stop, note }) {
      if (lasts !== "always" || stop)
        throw new TypeError(
          "a tool is approved until it changes, so its answer takes neither session nor stop",
        );
      await (decision === "allow" ? made.approve(id) : made.deny(id, note));
    },
  };
}
