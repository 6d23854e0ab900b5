import { isatty } from "node:tty";
import { escapeControls } from "../../shared/text/escape-controls.ts";
import type { Command, Invocation } from "./command.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { findVerb } from "./find-verb.ts";
import { type FlagName, sharedFlags } from "./flags.ts";
import { type CommandLine, parseCommandLine, unknownFlag } from "./parse-command-line.ts";
import { refuseToModels } from "./started-by-session.ts";
import { type CommandOutput, createCommandOutput } from "./terminal/command-output.ts";
import { UsageError } from "./usage-error.ts";
import { verbs } from "./verbs.ts";

/** Runs one command line and exits the process with its exit code. */
export async function runCommandLine(
  words: readonly string[],
  { readPackageVersion }: Pick<Invocation, "readPackageVersion">,
): Promise<void> {
  const output = createCommandOutput();
  keepStdoutForData();
  const asJson = words.some((word) => /^--json(=|$)/.test(word));
  const onFailure = async (error: unknown) => exit(await tellFailure(error, { output, asJson }));
  process.on("uncaughtException", onFailure);
  try {
    const code = await dispatch(parseCommandLine(words), { output, readPackageVersion });
    if (output.failure !== undefined)
      throw new Error(`could not write all of the output: ${output.failure.message}`);
    exit(code);
  } catch (error) {
    await onFailure(error);
  }
}

/** What a tool prints with `console.log` must not end up in the middle of a JSON document. */
function keepStdoutForData(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}

async function dispatch(
  line: CommandLine,
  services: Pick<Invocation, "output" | "readPackageVersion">,
): Promise<ExitCode> {
  const { output, readPackageVersion } = services;
  if (line.flags.version) {
    await output.write(`${await readPackageVersion()}\n`);
    return exitCodes.done;
  }
  if (line.verb === undefined) {
    const canTalk = isatty(0) && output.isTerminal && !line.flags.help && !line.flags.json;
    return canTalk ? dispatch({ ...line, verb: "talk" }, services) : showGeneralHelp(line, output);
  }
  const verb = findVerb(line.verb, verbs);
  const { default: command } = await verb.load();
  checkFlags(line, command);
  if (line.flags.help) {
    const { commandHelp } = await import("./help.ts");
    await output.write(await commandHelp(line.verb, verb.purpose, command));
    return exitCodes.done;
  }
  checkArguments(line, command);
  if (command.isForPerson) await refuseToModels(line.verb);
  return command.run({ ...services, verbs, arguments: line.arguments, flags: line.flags });
}

async function showGeneralHelp({ flags }: CommandLine, output: CommandOutput): Promise<ExitCode> {
  const { generalHelp } = await import("./help.ts");
  if (flags.help) {
    await output.write(await generalHelp(verbs));
    return exitCodes.done;
  }
  await output.tell(await generalHelp(verbs));
  if (flags.json) await writeFailure(new UsageError("no command given"), output);
  return exitCodes.wrongUsage;
}

function checkFlags({ verb, flags }: CommandLine, command: Command): void {
  const known: readonly FlagName[] = [...sharedFlags, ...command.flags];
  const foreign = Object.keys(flags).find((name) => !known.includes(name as FlagName));
  if (foreign !== undefined) throw unknownFlag(foreign, { known, shown: `--${foreign} for ${verb}` });
}

function checkArguments({ verb, arguments: given }: CommandLine, command: Command): void {
  if (given.length >= command.minArguments && given.length <= command.maxArguments) return;
  const problem =
    given.length < command.minArguments
      ? "missing argument"
      : `unexpected argument ${JSON.stringify(given[command.maxArguments])}`;
  throw new UsageError(`${problem}; usage: toolwright ${verb} ${command.usage}`.trimEnd());
}

async function tellFailure(
  error: unknown,
  { output, asJson }: { output: CommandOutput; asJson: boolean },
): Promise<ExitCode> {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && process.env.TOOLWRIGHT_DEBUG === "1" ? `\n${error.stack}` : "";
  await output.tell(escapeControls(`toolwright: ${message}${stack}`));
  if (asJson) await writeFailure(error, output);
  if (error instanceof UsageError) return exitCodes.wrongUsage;
  const isRefused = (error as { code?: unknown } | undefined)?.code === "permission-denied";
  return isRefused ? exitCodes.denied : exitCodes.failed;
}

async function writeFailure(error: unknown, output: CommandOutput): Promise<void> {
  const { describeFailure } = await import("./display/describe-failure.ts");
  await output.write(`${JSON.stringify(describeFailure(error))}\n`);
}

/** Exits explicitly: a tool that timed out may still hold the process open. */
function exit(code: ExitCode): void {
  process.exit(code);
}
