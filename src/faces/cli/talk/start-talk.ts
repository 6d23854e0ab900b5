import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type ExitCode, exitCodes } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import { createCommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";
import { whenAborted } from "../terminal/stop-signal.ts";
import { loadTerminalLibrary } from "./screen/load-terminal-library.ts";
import { openTalkScreen, type TalkScreen } from "./screen/talk-screen.ts";
import { findNarrowing } from "./screen/terminal/erase-live-rows.ts";
import { openTerminalPace, type TerminalPace } from "./screen/terminal/terminal-pace.ts";

/** Shows the screen at once, and opens the runtime behind it. Ends when the person leaves. */
export async function startTalk(flags: FlagValues): Promise<ExitCode> {
  const hangUp = new AbortController();
  const leave = () => hangUp.abort();
  const library = await loadTerminalLibrary();
  const pace = openTerminalPace(process.stdout);
  const screen = openTalkScreen(library, {
    terminal: new library.ProcessTerminal(),
    style: createCommandOutput().style,
    workspace: resolve(flags.workspace ?? "."),
    pace,
    hungUp: hangUp.signal,
    narrowing: findNarrowing(process.env),
    suspend: suspendProcess,
    onLeave: leave,
  });
  process.on("SIGTERM", leave).on("SIGHUP", leave);
  process.stdout.on("error", leave);
  surviveTerminalClose();
  try {
    return await talkOn(screen, { flags, pace, signal: hangUp.signal });
  } catch (error) {
    screen.stop();
    throw error;
  } finally {
    // A terminal that is gone takes nothing any more.
    await Promise.race([pace.whenReady(), whenAborted(hangUp.signal)]);
    pace.close();
    process.off("SIGTERM", leave).off("SIGHUP", leave);
  }
}

interface TalkPlace {
  readonly flags: FlagValues;
  readonly pace: TerminalPace;
  readonly signal: AbortSignal;
}

async function talkOn(screen: TalkScreen, { flags, pace, signal }: TalkPlace): Promise<ExitCode> {
  // Loaded after the first frame, which needs none of it.
  const [{ openTalk }, { resumeCommand }] = await Promise.all([
    import("./open-talk.ts"),
    import("../display/resume-command.ts"),
    screen.prepare(),
  ]);
  const opened = await Promise.race([openTalk(screen, flags), whenAborted(signal)]);
  if (opened === undefined) {
    screen.stop();
    return exitCodes.done;
  }
  const { talk, runtime, store } = opened;
  screen.attach(talk);
  signal.addEventListener("abort", talk.leave, { once: true });
  await talk.left;
  // A question that waits can be answered elsewhere, and its answer is kept for the next time; closing would withdraw it.
  if (signal.aborted && screen.isAsking()) return exitCodes.failed;
  const { id } = talk.session;
  await talk.close();
  screen.stop();
  await runtime.close();
  const command = resumeCommand(id, { flags, store })
    ?.replace("toolwright run", "toolwright")
    .replace(/ "…"$/, "");
  await Promise.race([pace.whenReady(), whenAborted(signal)]);
  if (command !== undefined && !signal.aborted) process.stderr.write(`Continue with: ${command}\n`);
  return exitCodes.done;
}

/** Stops this process and those of its command line, as Ctrl-Z does, and resolves when they were continued. */
async function suspendProcess(): Promise<void> {
  process.kill(0, "SIGTSTP");
  // The timer does not run while the process is stopped. Without a shell that could continue it, the kernel does not
  // stop it.
  await setTimeout(stopMs);
}

const stopMs = 50;
