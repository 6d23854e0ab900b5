import { isatty } from "node:tty";
import type { ParseArgsOptionsConfig } from "node:util";
import { orMeant } from "../../shared/text/did-you-mean.ts";
import { escapeControls } from "../../shared/text/escape-controls.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { type Command, type ExitCode, exitCodes, findVerb, type Invocation, UsageError } from "./command.ts";
import { type Flag, type FlagName, type FlagValues, flags, sharedFlags } from "./flags.ts";
import { refuseToModels } from "./started-by-session.ts";
import { type CommandOutput, createCommandOutput } from "./terminal/command-output.ts";
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

/** Keeps text that a tool prints with `console.log` out of a JSON document on stdout. */
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
  const code = await command.run({ ...services, verbs, arguments: line.arguments, flags: line.flags });
  return code ?? exitCodes.done;
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
  const known: readonly FlagName[] = [...sharedFlags, ...(command.flags ?? [])];
  const foreign = Object.keys(flags).find((name) => !known.includes(name as FlagName));
  if (foreign !== undefined) throw unknownFlag(foreign, { known, shown: `--${foreign} for ${verb}` });
}

function checkArguments({ verb, arguments: given }: CommandLine, command: Command): void {
  const [min, max] = command.arguments ?? [0, 0];
  if (given.length >= min && given.length <= max) return;
  const problem =
    given.length < min ? "missing argument" : `unexpected argument ${JSON.stringify(given[max])}`;
  throw new UsageError(`${problem}; usage: toolwright ${verb} ${command.usage ?? ""}`.trimEnd());
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
  await output.writeJson(describeFailure(error));
}

/** Exits explicitly: a tool that timed out may still hold the process open. */
function exit(code: ExitCode): void {
  process.exit(code);
}

interface CommandLine {
  readonly verb: string | undefined;
  readonly arguments: readonly string[];
  readonly flags: FlagValues;
}

/** Splits the words into flags and arguments, in any order; the first argument is the verb. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  // Importing `node:util` makes Node load all of it, which takes longer than the rest of this file.
  const { parseArgs } = process.getBuiltinModule("node:util");
  // Parsing is not strict, because the errors of `parseArgs` suggest no fix; `checkFlag` reports them instead.
  const { values, positionals, tokens } = parseArgs({
    args: words.map(withEmptyValue),
    options: parsedFlags(),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkFlag(token);
  const [verb, ...rest] = positionals;
  return { verb, arguments: rest, flags: values as FlagValues };
}

function parsedFlags(): ParseArgsOptionsConfig {
  const typed = Object.entries<Flag>(flags).map(([name, flag]) => [
    name,
    { ...flag, type: flag.value === undefined ? "boolean" : "string" },
  ]);
  return Object.fromEntries(typed);
}

/** `--resume` alone, or before another flag, is `--resume=`. */
function withEmptyValue(word: string, index: number, words: readonly string[]): string {
  const name = word.slice(2);
  const next = words[index + 1];
  const isAlone = next === undefined || (next.length > 1 && next.startsWith("-"));
  if (!word.startsWith("--") || !isAlone) return word;
  const flag: Flag | undefined = isFlagName(name) ? flags[name] : undefined;
  return flag?.isOptional ? `${word}=` : word;
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkFlag({ name, rawName, value, inlineValue }: FlagToken): void {
  if (!isFlagName(name)) throw unknownFlag(name, { known: Object.keys(flags), shown: rawName });
  const { value: placeholder, isOptional: mayBeEmpty }: Flag = flags[name];
  if (placeholder === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return;
  }
  // `--name --other` is a forgotten value; to pass a value that starts with a dash, write `--name=-x`.
  const isForgotten = value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"));
  if (isForgotten || (value === "" && !mayBeEmpty)) throw new UsageError(`${rawName} needs a value`);
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}

function unknownFlag(
  name: string,
  { known, shown }: { known: readonly string[]; shown: string },
): UsageError {
  const nearest = nearestNames(name, known).map((each) => `--${each}`);
  return new UsageError(`unknown flag ${shown}${orMeant(nearest, "see --help")}`);
}
