import { isatty } from "node:tty";
import type { AgentResult, MessagePart, SessionAgentOptions } from "../../../capabilities/agents/index.ts";
import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeControls } from "../../../shared/text/escape-controls.ts";
import { isAttended } from "../ask/is-attended.ts";
import { createKnownAgents } from "../ask/known-agents.ts";
import { createTerminalPrompter } from "../ask/terminal-prompter.ts";
import { exitCodes, type Invocation } from "../command.ts";
import { createRunDisplay, type RunDisplay } from "../display/run-display.ts";
import { type CommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";
import { createLiveLine } from "../terminal/live-line.ts";
import { createScreen } from "../terminal/screen.ts";
import { createTypedLines } from "../terminal/typed-lines.ts";

interface AgentWork extends Pick<Invocation, "flags" | "output"> {
  readonly runtime: Runtime;
  readonly session: Session;
  /** The agent; the person at the terminal, if there is one, answers in place of these handlers. */
  readonly agentOptions: SessionAgentOptions;
  /** The schema that the answer must fit. */
  readonly schema?: JsonSchema | undefined;
  /** Command that continues the conversation later; undefined if it is not stored. */
  readonly resumeCommand: string | undefined;
}

/** Runs an agent while a person watches, who may answer, interrupt, add messages and quit. */
export async function workWithAgent(
  prompt: string | readonly MessagePart[] | undefined,
  { flags, output, runtime, session, agentOptions, schema, resumeCommand }: AgentWork,
): Promise<AgentResult> {
  const { json: asJson = false } = flags;
  const { workspace } = runtime;
  const isWatched = isatty(2);
  const isAnswered = await isAttended();
  if (isWatched) surviveTerminalClose();
  const live = createLiveLine(isWatched && !asJson ? process.stderr : undefined);
  const leaving = new AbortController();
  const interrupt = () => {
    agent.interrupt();
    void stopAgents(session);
  };
  const leave = () => {
    leaving.abort();
    interrupt();
  };
  const display = asJson ? createJsonLines(output, leave) : createRunDisplay(output, { live, workspace });
  const agents = createKnownAgents();
  const unapproved = countUnapprovedCalls();
  const screen = createScreen(session, {
    since: await session.bookmark(),
    show: (event) => {
      agents.note(event);
      unapproved.note(event);
      return display.show(event);
    },
  });
  const typed = createTypedLines(async (line) => {
    await agent.send(line);
    await display.tell("(the agent reads this at its next step)");
  });
  const prompter = isAnswered
    ? createTerminalPrompter({ session, output, screen, live, typed, agents, onLeave: interrupt })
    : undefined;
  const agent = runtime.agent({ ...agentOptions, session, ...prompter?.answers });
  const interrupts = listenForInterrupts({
    onFirst: () => {
      interrupt();
      void display.tell("interrupting; press Ctrl-C again to quit");
    },
    onSecond: () => {
      live.set(undefined);
      process.exit(exitCodes.failed);
    },
    onLeave: leave,
  });
  if (isAnswered) typed.resume();
  try {
    for (let message = prompt; ; ) {
      interrupts.reset();
      const result = await agent.run(message, schema && { schema });
      await stopAgents(session);
      await screen.catchUp();
      message = result.reason === "interrupted" ? await prompter?.askMessage(leaving.signal) : undefined;
      if (message !== undefined) continue;
      if (!asJson) {
        await printAnswer(result, { output, schema });
        await tellEnd(result, { output, resumeCommand, unapproved: unapproved.count });
      }
      return result;
    }
  } finally {
    interrupts.stop();
    screen.stop();
    typed.pause();
    live.set(undefined);
  }
}

/** Counts calls, also of sub-agents, that did not run because no person could approve them. */
function countUnapprovedCalls() {
  let count = 0;
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    else if (event.type === "call-end" && event.receipt.code === "approval-needed") count += 1;
  };
  return {
    note,
    get count() {
      return count;
    },
  };
}

/** Stops background sub-agents, which would otherwise keep working after the run has ended. */
async function stopAgents({ agents }: Session): Promise<void> {
  const working = agents.list().filter(({ status }) => status === "in_progress");
  // Failures are ignored: an agent that has just ended, or runs in another process, is not ours to stop.
  await Promise.allSettled(working.map(({ id }) => agents.cancel(id)));
}

/** Prints every event as a line of JSON. When the reader closes the pipe, the run ends. */
function createJsonLines(output: CommandOutput, onGone: () => void): RunDisplay {
  return {
    tell: (text) => output.tell(text),
    async show(event) {
      const hasReader = await output.writeJson(event);
      if (!hasReader) onGone();
    },
  };
}

/**
 * The first Ctrl-C interrupts the run, the next one ends the process; everything done so far is in the log. SIGTERM and
 * SIGHUP end the run without asking the person what to do next.
 */
function listenForInterrupts({
  onFirst,
  onSecond,
  onLeave,
}: Record<"onFirst" | "onSecond" | "onLeave", () => void>) {
  let count = 0;
  const onInterrupt = () => {
    count += 1;
    if (count === 1) onFirst();
    else onSecond();
  };
  process.on("SIGINT", onInterrupt).on("SIGTERM", onLeave).on("SIGHUP", onLeave);
  return {
    reset() {
      count = 0;
    },
    stop() {
      process.off("SIGINT", onInterrupt).off("SIGTERM", onLeave).off("SIGHUP", onLeave);
    },
  };
}

/** Prints the answer, which a terminal has shown already. With a schema, only JSON is printed. */
async function printAnswer(
  { text, value }: AgentResult,
  { output, schema }: Pick<AgentWork, "output"> & { schema: JsonSchema | undefined },
): Promise<void> {
  if (output.isTerminal) return;
  const printed = schema === undefined ? text : value === undefined ? "" : JSON.stringify(value, null, 2);
  if (printed !== "") await output.write(printed.endsWith("\n") ? printed : `${printed}\n`);
}

async function tellEnd(
  { reason, steps, usage, error }: AgentResult,
  { output, resumeCommand, unapproved }: Pick<AgentWork, "output" | "resumeCommand"> & { unapproved: number },
): Promise<void> {
  const why = error === undefined ? endings[reason] : `the model failed: ${error.message}`;
  if (why !== undefined) await output.tell(output.styleMessage("yellow", escapeControls(why)));
  if (unapproved > 0) await output.tell(output.styleMessage("yellow", adviceOn(unapproved)));
  const tokens = `${countOf(usage.inputTokens, "token")} in, ${usage.outputTokens.toLocaleString("en-US")} out`;
  const counted = `${countOf(steps, "step")}, ${tokens}`;
  const further = resumeCommand === undefined ? "" : `; continue with: ${resumeCommand}`;
  await output.tell(output.styleMessage("dim", escapeControls(`${counted}${further}`)));
}

function adviceOn(unapproved: number): string {
  const calls = `${countOf(unapproved, "call")} needed approval, but there was nobody to ask`;
  return `${calls}; --mode edit allows changes to files, --mode auto everything no rule forbids, and permissions in --config what you list there`;
}

const endings: Partial<Record<AgentResult["reason"], string>> = {
  "max-steps": "stopped: it reached the step limit (--max-steps)",
  budget: "stopped: the budget is used up",
  interrupted: "interrupted",
  "cut-off": "the answer was cut off because it got too long",
  refused: "the model refused to answer",
};
