import { describeValue } from "../../../../shared/json-schema/describe-value.ts";
import { knownKeys, listOfShape, value } from "../../../../shared/options/known-keys.ts";

/** What happens beside calls. */
export const noticedEvents = [
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "Notification",
] as const;

/** What a program can be a hook for, under the names that other systems have made known. */
export const hookEvents = ["PreToolUse", "PostToolUse", "PermissionRequest", ...noticedEvents] as const;

export type HookEvent = (typeof hookEvents)[number];

/** A program that is run as a hook. It reads what happens as JSON from stdin, and prints its decision as JSON. */
export interface HookCommand {
  /** The program and its arguments. No shell reads them. */
  readonly command: readonly string[];
  /** The only tools it is run for: names of any dialect with `|` between them, and `*` for any letters. Default: all. */
  readonly matcher?: string;
  /** Longer than this, and it counts as failed. Default: one minute. */
  readonly timeoutMs?: number;
  /** For `PermissionRequest`: its `allow` counts as a person's. Default: it can only deny. */
  readonly mayApprove?: boolean;
}

export type HookCommands = { readonly [Event in HookEvent]?: readonly HookCommand[] };

const commandShape = listOfShape(
  knownKeys<HookCommand>({ command: value, matcher: value, timeoutMs: value, mayApprove: value }),
);

export const hookCommandKeys = Object.fromEntries(hookEvents.map((event) => [event, commandShape])) as Record<
  HookEvent,
  typeof commandShape
>;

/** A hook that cannot be run would deny every call, so it is refused when the runtime opens. */
export function checkHookCommands(commands: HookCommands): void {
  for (const event of hookEvents) {
    const hooks = commands[event] ?? [];
    if (!Array.isArray(hooks))
      throw new TypeError(
        `hooks.${event} must be a list of objects with a command; received ${describeValue(hooks)}`,
      );
    for (const [index, hook] of hooks.entries()) {
      const where = `hooks.${event}[${index}]`;
      const { command, matcher = "", timeoutMs, mayApprove } = hook;
      const isArgv = Array.isArray(command) && command.every((word) => typeof word === "string");
      if (!isArgv || command.length === 0 || command[0] === "")
        throw new TypeError(
          `${where}.command must be a list of a program and its arguments, such as ["./check"]`,
        );
      // Read as names it would match nothing, and the hook would be silent where it should deny.
      if (typeof matcher !== "string" || looksLikeExpression.test(matcher))
        throw new TypeError(
          `${where}.matcher is not a regular expression: write names with | between them, and * for any letters; received ${JSON.stringify(matcher)}`,
        );
      if (timeoutMs !== undefined && !(timeoutMs > 0))
        throw new TypeError(
          `${where}.timeoutMs must be a number above 0; received ${JSON.stringify(timeoutMs)}`,
        );
      if (mayApprove !== undefined && event !== "PermissionRequest")
        throw new TypeError(`${where}.mayApprove is only for PermissionRequest`);
    }
  }
}

const looksLikeExpression = /[\^$()[\]{}\\+?]|\.\*/;
