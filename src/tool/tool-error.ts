/**
 * Every way a call can go wrong. A code exists only if callers need to branch on it. The comment above each says when it
 * occurs and, after the arrow, what to do; `npm run messages` generates docs/messages.md from these comments.
 */
export const errorCodes = [
  // refused before running

  // No tool has this name. → Use a name that the hint suggests, or list all tools with `toolwright tools`.
  "unknown-tool",
  // The input does not match the tool's schema. → Fix the parameters named in the message. Nothing has run.
  "invalid-input",
  // A rule, the mode, a hook, the floor or a person denied the call, or the tool failed to declare its targets.
  // → Continue without the call, or change the rule or mode named in the message.
  "permission-denied",
  // The call needs approval, but no person could be asked.
  // → Add a rule that allows it, set `onApproval`, or run it in a terminal.
  "approval-needed",
  // The session or its parent has used up its calls, time, output or tokens.
  // → Finish with the results so far, or open a session with a larger budget.
  "budget-exceeded",
  // A hook threw an error or returned something invalid. After the call, the status is `failed`: the call has run.
  // → Fix the hook named in the message; until then, the calls it checks are denied, or their results withheld.
  "hook-failed",
  // The session was closed before the call. → Open the session again by its id.
  "session-closed",
  // Another process has the session open. → Close it there or use another session; `runtime.remoteSession(id)` reads it, and
  // asks its owner to undo, cancel or change something.
  "session-busy",
  // The tool or this system has no way to do this. → Follow the hint, which names an alternative.
  "unsupported",
  // Something the call needs is not available right now, such as a package, a server or a model.
  // → Provide the thing that the message names, then call again.
  "unavailable",

  // ended while running

  // The call, or something it waited for, took longer than its timeout.
  // → Do less in one call, or raise the timeout: `timeoutMs`, or the tool's own timeout parameter.
  "timed-out",
  // The caller, the user or a closing session ended the call. → Call again if you still need the result.
  "cancelled",
  // The tool threw an error other than a `ToolError`. → Read the message; it comes from the tool.
  "tool-failed",
  // The tool's result does not match its output schema, or cannot be recorded. → Fix the tool.
  "invalid-output",
  // A tool asked the user a question, but no person could be asked.
  // → Set `onQuestion`, run it in a terminal, answer with `toolwright answer`, or continue without the answer.
  "nobody-to-ask",
  // The user declined to answer a question. → Continue without the answer.
  "declined",
  // The process died while the call was running, so it is unknown how far the call got.
  // → Check which changes the call made before you repeat it. Only calls of idempotent tools are repeated automatically.
  "unknown-outcome",
  // The store could not save an event or a receipt, so the call was stopped.
  // → Check the disk, and check the store with `toolwright doctor`.
  "store-failed",
  // Another process took the session over, because this one was suspended or blocked for more than ten seconds. Nothing
  // of the call was recorded after that. → Open the session again; its log tells which changes the call had made.
  "session-lost",

  // about files

  // Nothing has this path, name or id. → Check the spelling; the hint may suggest similar names.
  "not-found",
  // The path leads outside the workspace. → Use a path inside it, or add its folder to `extraRoots`.
  "outside-workspace",
  // The path is a device, a socket or a pipe. → Use a regular file.
  "not-a-file",
  // The path is a directory where a file was expected. → Name a file in it.
  "is-directory",
  // The path, or a part of it, is a file where a directory was expected. → Name a directory.
  "not-a-directory",
  // The file is not text, or is a damaged image. → Use a program that supports its format.
  "binary-file",
  // The file is not valid text in its encoding. → Name the right encoding, or convert the file to UTF-8.
  "not-text",
  // The operating system does not allow this user to read or write the path. → Change its permissions or owner.
  "access-denied",
  // Something already exists at the path. → Choose another path, or allow overwriting.
  "already-exists",
  // The file changed after the session read it, or the session never read it. → Read it, then edit.
  "stale-file",
  // The text to replace, or the patch's context, is not in the file.
  // → Compare with the lines in the hint, and copy the text exactly.
  "no-match",
  // The text to replace occurs more than once. → Include more surrounding lines, or replace all occurrences.
  "ambiguous-match",
  // The current state does not allow it: edits overlap, a task is blocked, or something changed in the meantime.
  // → Follow the hint.
  "conflict",
  // The file, the input or the output is larger than the tool accepts. → Ask for part of it.
  "too-large",

  // about the web

  // A server answered with an error status. → Use another address; if `retryable` is true, try again later.
  "http-error",
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

/** The one error type of tools: a code to branch on, a message for the reader, and a hint about what to do next. */
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
