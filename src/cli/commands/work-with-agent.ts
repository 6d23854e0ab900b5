import { isatty } from "node:tty";
import type { AgentResult } from "../../agent/agent-result.ts";
import type { SessionAgent } from "../../agent/open-agent.ts";
import type { Session } from "../../open-session.ts";
import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { escapeControls } from "../../shared/text/escape-controls.ts";
import { createKnownAgents } from "../ask/known-agents.ts";
import { createTerminalPrompter, type TerminalPrompter } from "../ask/terminal-prompter.ts";
import { createRunDisplay, type RunDisplay } from "../display/run-display.ts";
import { exitCodes } from "../exit-code.ts";
import { type CommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";
import { createLiveLine } from "../terminal/live-line.ts";
import { createScreen } from "../terminal/screen.ts";
import { createTypedLines } from "../terminal/typed-lines.ts";

interface AgentWork {
  readonly session: Session;
  readonly workspace: string;
  readonly output: CommandOutput;
  readonly asJson: boolean;
  /** How to go on with the conversation later, where it can be. */
  readonly resumeCommand: string | undefined;
  createAgent(attended: Partial<TerminalPrompter>): SessionAgent;
}

/** Lets an agent work while a person looks on, who may answer, interrupt, say more, and quit. */
export async function workWithAgent(
  prompt: string | undefined,
  { session, workspace, output, asJson, resumeCommand, createAgent }: AgentWork,
): Promise<AgentResult> {
  const isWatched = isatty(2);
  const isAttended = isWatched && isatty(0);
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
  const unasked = createUnaskedCalls();
  const screen = createScreen(session, {
    since: await session.bookmark(),
    show: (event) => {
      agents.note(event);
      unasked.note(event);
      return display.show(event);
    },
  });
  const typed = createTypedLines(async (line) => {
    await agent.send(line);
    await display.tell("(will be read with the next step)");
  });
  const prompter = isAttended
    ? createTerminalPrompter({ session, output, screen, live, typed, agents, onLeave: interrupt })
    : undefined;
  const agent: SessionAgent = createAgent(prompter ?? {});
  const interrupts = listenForInterrupts({
    onFirst: () => {
      interrupt();
      void display.tell("interrupting; Ctrl-C again quits");
    },
    onSecond: () => {
      live.set(undefined);
      process.exit(exitCodes.failed);
    },
    onLeave: leave,
  });
  if (isAttended) typed.resume();
  try {
    for (let message = prompt; ; ) {
      interrupts.reset();
      const result = await agent.run(message);
      await stopAgents(session);
      await screen.catchUp();
      message = result.reason === "interrupted" ? await prompter?.askMessage(leaving.signal) : undefined;
      if (message !== undefined) continue;
      if (!asJson) await tellEnd(result, { output, resumeCommand, unasked: unasked.count });
      return result;
    }
  } finally {
    interrupts.stop();
    screen.stop();
    typed.pause();
    live.set(undefined);
  }
}

/** Counts calls that were not run because nobody was there who could be asked, also those of sub-agents. */
function createUnaskedCalls() {
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

/** Those in the background go on by themselves, for nobody once the run has ended. */
async function stopAgents({ agents }: Session): Promise<void> {
  const working = agents.list().filter(({ status }) => status === "in_progress");
  // One that has just ended, or works in another process, is not ours to stop.
  await Promise.allSettled(working.map(({ id }) => agents.cancel(id)));
}

/** Every event as a line of JSON. When nobody reads any more, there is nobody to work for. */
function createJsonLines(output: CommandOutput, onGone: () => void): RunDisplay {
  return {
    tell: (text) => output.tell(text),
    async show(event) {
      const hasReader = await output.write(`${JSON.stringify(event)}\n`);
      if (!hasReader) onGone();
    },
  };
}

/**
 * Of each run the first Ctrl-C interrupts it, the next one ends the process: what was done by then is in the log. Whoever
 * ends the process in another way wants it to end, and not to be asked.
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

async function tellEnd(
  { reason, text, steps, usage, error }: AgentResult,
  { output, resumeCommand, unasked }: Pick<AgentWork, "output" | "resumeCommand"> & { unasked: number },
): Promise<void> {
  if (!output.isTerminal && text !== "") await output.write(text.endsWith("\n") ? text : `${text}\n`);
  const why = error === undefined ? endings[reason] : `the model failed: ${error.message}`;
  if (why !== undefined) await output.tell(output.styleTalk("yellow", escapeControls(why)));
  if (unasked > 0) await output.tell(output.styleTalk("yellow", adviceOn(unasked)));
  const tokens = `${countOf(usage.inputTokens, "token")} in, ${usage.outputTokens.toLocaleString("en-US")} out`;
  const counted = `${countOf(steps, "step")}, ${tokens}`;
  const further = resumeCommand === undefined ? "" : `; go on with: ${resumeCommand}`;
  await output.tell(output.styleTalk("dim", escapeControls(`${counted}${further}`)));
}

function adviceOn(unasked: number): string {
  const calls = `${countOf(unasked, "call")} needed approval, and there was nobody to ask`;
  return `${calls}; --mode edit lets it change files, --mode auto do all that no rule forbids, and permissions in --config name what it may`;
}

const endings: Partial<Record<AgentResult["reason"], string>> = {
  "max-steps": "stopped: it has taken as many steps as it may (--max-steps)",
  budget: "stopped: the budget is spent",
  interrupted: "interrupted",
  "cut-off": "the answer grew too long and was cut off",
  refused: "the model refused to answer",
};
