import { Deadline } from "../../../shared/deadline.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { EventHook, HookNotice } from "./hooks.ts";

/** Tells the hooks before something begins. Throws if one of them denies it or fails. */
export async function askHooks(hooks: readonly EventHook[], notice: Unsigned): Promise<void> {
  for (const [index, hook] of hooks.entries()) {
    const name = `hook event[${index}]`;
    const answer = await withSignal(hook, notice).catch((cause: unknown) => {
      const why = describeThrown(cause);
      throw new ToolError("hook-failed", `${name} failed, so ${nouns[notice.event]} was stopped: ${why}`, {
        cause,
      });
    });
    if (!answer) continue;
    if (answer.decision !== "deny")
      throw new ToolError(
        "hook-failed",
        `${name} returned a decision other than deny, so ${nouns[notice.event]} was stopped`,
      );
    const reason = answer.reason.trim() === "" ? "it gave no reason" : answer.reason;
    throw new ToolError("permission-denied", `${nouns[notice.event]} was denied by ${name}: ${reason}`);
  }
}

/** Tells the hooks of something that cannot be prevented any more; what goes wrong in them changes nothing. */
export async function tellHooks(hooks: readonly EventHook[], notice: Unsigned): Promise<void> {
  await Promise.all(hooks.map((hook) => withSignal(hook, notice).catch(() => {})));
}

type Unsigned<Notice = HookNotice> = Notice extends unknown ? Omit<Notice, "signal"> : never;

const nouns: Record<HookNotice["event"], string> = {
  UserPromptSubmit: "the message",
  SessionStart: "the session",
  SessionEnd: "the session's end",
  SubagentStart: "the agent",
  SubagentStop: "the agent's end",
  Stop: "the end of the work",
  Notification: "the notification",
};

async function withSignal(hook: EventHook, notice: Unsigned) {
  const deadline = new Deadline();
  deadline.start(maxHookMs);
  try {
    return await deadline.race(Promise.resolve(hook({ ...notice, signal: deadline.signal } as HookNotice)));
  } finally {
    deadline.close();
  }
}

// Programs have their own limit, which is as long unless the options set another.
const maxHookMs = 10 * 60_000;
