import { setTimeout as delay } from "node:timers/promises";
import { defaultDialect } from "../../../kernel/dialects/index.ts";
import {
  openFree,
  type RuntimeOptions,
  type Session,
  type SessionOptions,
} from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { attendedAnswers } from "../ask/is-attended.ts";
import { UsageError } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";
import { withRuntime } from "./with-runtime.ts";

/** Opens a runtime and a session for one piece of work, and closes both even if it fails. */
export async function withSession<Result>(
  options: RuntimeOptions,
  flags: Pick<FlagValues, "session" | "dialect">,
  work: (session: Session, runtime: Runtime) => Promise<Result>,
): Promise<Result> {
  const wanted = sessionFrom(flags, options);
  const open = flags.session === undefined ? openFree : openInTurn;
  return withRuntime(options, async (runtime) => work(await asUsage(() => open(runtime, wanted)), runtime));
}

/** The options for a session in which the person at the terminal acts, and answers. */
export async function personOptions(flags: FlagValues) {
  return {
    ...(await optionsFromFlags(flags)),
    // A call needs at most the server that has its tool.
    mcpStart: "when-needed" as const,
    caller: currentPerson(),
    ...(await attendedAnswers()),
  };
}

/**
 * The session that the flags name: an earlier one, or with --fork a new one that begins with its conversation. A new
 * session if they name none.
 */
export function namedSession(
  id: string | undefined,
  fork: boolean | undefined,
  names: string,
): Pick<SessionOptions, "id" | "fork"> {
  if (fork && id === undefined)
    throw new UsageError(`--fork needs ${names}, to name the conversation to begin with`);
  if (id === undefined) return {};
  return fork ? { fork: { from: id } } : { id };
}

/** Another command may have the session for a moment; a script may run many of them at once. */
async function openInTurn(runtime: Runtime, wanted: SessionOptions): Promise<Session> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await runtime.openSession(wanted);
    } catch (error) {
      const isBusy = error instanceof ToolError && error.code === "session-busy";
      if (!isBusy || performance.now() >= giveUpAt) throw error;
      await delay(100 + Math.random() * 100);
    }
  }
}

const patienceMs = 5000;

function sessionFrom({ session, dialect }: Pick<FlagValues, "session" | "dialect">, options: RuntimeOptions) {
  if (session !== undefined) return { id: session, ...defined({ dialect }) };
  // An earlier call in the session with another --dialect does not decide the dialect of this one.
  return { id: defaultSessionId, dialect: options.dialect ?? defaultDialect, freshBudget: true };
}

// Calls from the command line share one session, and so its variables, like the calls of one agent.
const defaultSessionId = "cli";
