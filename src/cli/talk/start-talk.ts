import { resolve } from "node:path";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { FlagValues } from "../flags.ts";
import { createCommandOutput } from "../terminal/command-output.ts";
import { loadTerminalLibrary } from "./screen/load-terminal-library.ts";
import { openTalkScreen, type TalkScreen } from "./screen/talk-screen.ts";
import type { Talk } from "./talk.ts";

/** Shows the screen at once, and opens the runtime behind it. Ends when the person leaves. */
export async function startTalk(flags: FlagValues): Promise<ExitCode> {
  const workspace = resolve(flags.workspace ?? ".");
  const screen = openTalkScreen(await loadTerminalLibrary(), { output: createCommandOutput(), workspace });
  const hangUp = new AbortController();
  const leave = () => hangUp.abort();
  process.on("SIGTERM", leave).on("SIGHUP", leave);
  process.stdout.on("error", leave);
  try {
    return await talkOn(screen, flags, hangUp.signal);
  } catch (error) {
    screen.stop();
    throw error;
  } finally {
    process.off("SIGTERM", leave).off("SIGHUP", leave);
  }
}

async function talkOn(screen: TalkScreen, flags: FlagValues, signal: AbortSignal): Promise<ExitCode> {
  // Loaded after the first frame, which needs none of it.
  const [{ openTalk }, { resumeCommand }] = await Promise.all([
    import("./open-talk.ts"),
    import("../display/resume-command.ts"),
  ]);
  const { talk, runtime, store } = await openTalk(screen, flags);
  screen.attach(talk);
  const looking = lookForOthers(talk, signal);
  signal.addEventListener("abort", talk.leave, { once: true });
  await talk.left;
  clearInterval(looking);
  const { id } = talk.session;
  await talk.close();
  screen.stop();
  await runtime.close();
  const command = resumeCommand(id, { flags, store })
    ?.replace("toolwright run", "toolwright")
    .replace(/ "…"$/, "");
  if (command !== undefined && !signal.aborted) process.stderr.write(`Continue with: ${command}\n`);
  return exitCodes.done;
}

/** Now and then, because other processes tell nobody that one of their calls waits. */
function lookForOthers(talk: Talk, signal: AbortSignal): NodeJS.Timeout {
  return setInterval(() => {
    if (!signal.aborted)
      talk.refresh().catch((error: unknown) => talk.view.tell(describeThrown(error), "problem"));
  }, lookMs).unref();
}

const lookMs = 2000;
