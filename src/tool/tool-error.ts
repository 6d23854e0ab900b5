/**
 * Every way a call can go wrong. A code exists because somebody branches on it. The comment above each says when it is
 * given and, after the arrow, what to do; docs/messages.md is made from these (`npm run messages`).
 */
export const errorCodes = [
  // refused before running

  // No tool has the name. → Use one of the names that the message suggests, or list all with `toolwright tools`.
  "unknown-tool",
  // The input does not fit the tool's schema. → Correct what the message names; nothing has run.
  "invalid-input",
  // A rule, the mode, a hook, the floor or a person refused the call, or the tool did not say what it would touch.
  // → Do without it, or change the rule or mode that the message names.
  "permission-denied",
  // The call has to be approved, and nobody could be asked.
  // → Add a rule that allows it, set `onApproval`, or run it at a terminal.
  "approval-needed",
  // The session or its parent has spent its calls, time, output or tokens.
  // → Finish with what there is, or open a session with a larger budget.
  "budget-exceeded",
  // A hook threw, or gave an answer that no hook may give.
  // → Fix the hook that the message names; until then its calls are refused.
  "hook-failed",
  // The session was closed before the call. → Open it again by its id.
  "session-closed",
  // The tool or this system cannot do what was asked. → Use the way that the hint names.
  "unsupported",
  // Something that the call needs is missing right now, such as a package, a server or a model.
  // → Provide what the message names, then call again.
  "unavailable",

  // ended while running

  // The call, or what it waited for, took longer than it may.
  // → Do less in one call, or give it more time with `timeoutMs` or the tool's own timeout.
  "timed-out",
  // The caller, the user or a closing session ended the call. → Call again if it is still wanted.
  "cancelled",
  // The tool threw something that is no `ToolError`. → Read the message; it is the tool's own.
  "tool-failed",
  // The tool returned something that does not fit its output schema, or cannot be kept. → Fix the tool.
  "invalid-output",
  // A tool asked the user a question, and nobody could be asked.
  // → Set `onQuestion`, run it at a terminal, or go on without the answer.
  "nobody-to-ask",
  // The user was asked and did not want to answer. → Go on without the answer.
  "declined",
  // The process died while the call ran, so that nobody knows how far it got.
  // → Look at what is there before calling again; it is not run a second time.
  "unknown-outcome",
  // The store did not take an event or a receipt, so the call was stopped.
  // → Check the disk and the store with `toolwright doctor`.
  "store-failed",

  // about files

  // There is nothing at the path, or nothing under the name or id. → Check the spelling; the hint names what is near.
  "not-found",
  // The path leads out of the workspace. → Use a path inside it, or open the workspace with more roots.
  "outside-workspace",
  // The path is a device, a socket or a pipe. → Use a regular file.
  "not-a-file",
  // The path is a directory where a file was expected. → Name a file in it.
  "is-directory",
  // The path, or something on its way, is a file where a directory was expected. → Name a directory.
  "not-a-directory",
  // The file is not text, or is a damaged image. → Use a program for its format.
  "binary-file",
  // The file is not valid text in its encoding. → Name the right encoding, or convert the file to UTF-8.
  "not-text",
  // The operating system does not let this user read or write there. → Change the file's permissions or its owner.
  "access-denied",
  // There is something at the path already. → Choose another path, or say that it may be replaced.
  "already-exists",
  // The file has changed since the session read it, or was never read. → Read it again, then edit.
  "stale-file",
  // The text to be replaced, or the patch's context, is not in the file.
  // → Read the part that the hint shows and copy it exactly.
  "no-match",
  // The text to be replaced is there more than once. → Give more of the lines around it, or replace all.
  "ambiguous-match",
  // It cannot be done as things stand: edits overlap, a task waits for another, or something changed meanwhile.
  // → Do what the hint says.
  "conflict",
  // The file, the input or the output is larger than the tool takes. → Ask for a part of it.
  "too-large",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ToolErrorOptions {
  /** The next step for the caller. */
  readonly hint?: string;
  /** Whether the same call may succeed if it is repeated. */
  readonly retryable?: boolean;
  /** Output produced before the failure; returned to the caller with the error. */
  readonly partial?: unknown;
  readonly cause?: unknown;
}

/** The one error type of tools: a code to branch on, a message for the reader, and a hint at what to do. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly partial: unknown;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.partial = options.partial;
  }
}
