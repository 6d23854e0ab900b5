import { isPlainObject } from "../../../shared/json.ts";
import type { Caller } from "../../../tool/caller.ts";
import type { ErrorCode } from "../../../tool/tool-error.ts";
import type { PersonMessage } from "../../people/index.ts";
import type { KeptKind, ProcessLife } from "../../store/index.ts";

/** A request of a process to the owner of a session. */
export type InboxRequest =
  | { readonly kind: "ping" }
  | UndoItem
  | { readonly kind: "cancel"; readonly callId?: string | undefined; readonly by: string }
  | VariableItem
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "trust"; readonly by: string }
  | PersonMessage;

export interface UndoItem {
  readonly kind: "undo" | "redo";
  readonly callId: string;
  /** The id that the undo gets itself, so that it is made once. */
  readonly as: string;
  readonly caller: Caller;
  /** The process that left the item can also be asked for an approval. */
  readonly canApprove?: boolean;
}

interface VariableItem {
  readonly kind: "variable";
  readonly name: string;
  /** Without a value, the variable is removed. */
  readonly value?: unknown;
  /** The value that it must have, as canonical JSON. */
  readonly expected?: string;
}

/** A request as it is stored until the owner has answered it. */
export interface InboxItem<Request = InboxRequest> {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly from: ProcessLife;
  readonly request: Request;
}

/** The owner's answer to an item. */
export interface InboxAnswer {
  readonly value?: unknown;
  readonly error?: InboxProblem;
  /** The process that asked, which removes the answer. */
  readonly to?: string | undefined;
}

export interface InboxProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** The items of an inbox, by their ids. */
export const inboxItems: KeptKind<InboxItem> = { scope: "inbox", isValue: isInboxItem };

/** The answers to items, by the ids of the items. */
export const inboxAnswers: KeptKind<InboxAnswer> = { scope: "answers", isValue: isPlainObject };

function isInboxItem(value: unknown): value is InboxItem {
  return (
    isPlainObject(value) &&
    typeof value.id === "string" &&
    typeof value.at === "string" &&
    isPlainObject(value.from) &&
    isPlainObject(value.request) &&
    typeof value.request.kind === "string"
  );
}

/** The longest message to an agent. A longer one fits in no context, and masking it would block the process. */
export const maxMessageCharacters = 2_000_000;
