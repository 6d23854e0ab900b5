import { isatty } from "node:tty";
import type { CallResult } from "../../../kernel/call/index.ts";
import type { CallOptions, Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { escapeControls } from "../../../shared/text/escape-controls.ts";
import { type ExitCode, exitCodes, type Invocation } from "../command.ts";
import type { CallProgress } from "../display/call-progress.ts";
import { personOptions, withSession } from "../open/with-session.ts";
import { type CommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

/** Makes a call as the person at the terminal: asks them for approvals, shows progress and prints the result. */
export async function performCall(
  { flags, output }: Pick<Invocation, "flags" | "output">,
  perform: (session: Session, details: CallDetails) => Promise<CallResult>,
): Promise<ExitCode> {
  const isWatched = isatty(2);
  if (isWatched) surviveTerminalClose();
  const options = await personOptions(flags);
  const progress = isWatched
    ? (await import("../display/call-progress.ts")).createCallProgress(output)
    : undefined;
  const { onApproval } = options;
  const callOptions = { signal: stopSignal(), ...defined({ onApproval, onProgress: progress?.onProgress }) };
  const result = await withSession(options, flags, async (session, runtime) => {
    const performed = await perform(session, { runtime, options: callOptions });
    if (performed.receipt.verdict?.commands !== undefined) await tellEndingJobs(session, output);
    return performed;
  });
  const { sandbox } = result.receipt;
  if (sandbox?.startsWith("none")) await output.tell(`Note: the command ran without a sandbox (${sandbox})`);
  if (flags.json) await output.writeJson(result);
  else await print(result, output, progress);
  return exitCodeOf(result);
}

/** Names the background jobs that end now, because the session and its jobs end with the command. */
async function tellEndingJobs({ jobs }: Session, output: CommandOutput): Promise<void> {
  const ending = (await jobs.list()).filter(({ state, isKept }) => state === "running" && !isKept);
  for (const { id } of ending)
    await output.tell(
      `Note: ${id} ends now, with this command. Start it with "keep": true to let it run on.`,
    );
}

interface CallDetails {
  readonly runtime: Runtime;
  readonly options: CallOptions & { readonly signal: AbortSignal };
}

async function print(
  result: CallResult,
  output: CommandOutput,
  progress: CallProgress | undefined,
): Promise<void> {
  if (result.status !== "done")
    return output.tell(escapeControls(progress?.unseen(result.text) ?? result.text));
  // Scripts get the exact text. On a terminal, control characters are escaped and lines shown as progress left out.
  const isSeen = progress !== undefined && (await progress.isSeenWithResult());
  const text = isSeen ? progress.unseen(result.text) : result.text;
  const printed = output.isTerminal ? escapeControls(text) : text;
  if (printed !== "") await output.write(printed.endsWith("\n") ? printed : `${printed}\n`);
}

function exitCodeOf({ status, error, data }: CallResult): ExitCode {
  if (status === "done") return hasFailedInside(data) ? exitCodes.failed : exitCodes.done;
  if (status === "denied") return exitCodes.denied;
  if (status === "timed-out") return exitCodes.timedOut;
  const isWrong = error?.code === "invalid-input" || error?.code === "unknown-tool";
  return isWrong ? exitCodes.wrongUsage : exitCodes.failed;
}

/** Whether a command exited with an error; false if the call only asked how a job ended. */
function hasFailedInside(data: unknown): boolean {
  if (!isPlainObject(data) || !Object.hasOwn(data, "exitCode")) return false;
  const isAboutJob = Object.hasOwn(data, "job") || Object.hasOwn(data, "isKept");
  return data.exitCode !== 0 && !isAboutJob;
}
