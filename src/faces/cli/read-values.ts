import { failUsage, UsageError } from "./command.ts";

/** Parses a tool's input from the command line: no argument means `{}`, `-` reads it from stdin. */
export async function readJsonArgument(argument: string | undefined): Promise<unknown> {
  if (argument === undefined) return {};
  return argument === "-" ? parseJson(await readStdin(), "stdin") : parseJson(argument, "the input");
}

/** Parses JSON that the person gave; `where` names its place. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return failUsage(`${where} is not valid JSON`, cause);
  }
}

export async function readStdin(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

/** The value of a flag that takes a whole number of at least 1. */
export function readPositiveInteger(flag: string, value: string): number;
export function readPositiveInteger(flag: string, value: string | undefined): number | undefined;
export function readPositiveInteger(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new UsageError(`${flag} must be a whole number of at least 1; received ${JSON.stringify(value)}`);
}

/** The value of a flag that takes one of some words. */
export function readChoice<Choice extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const chosen = choices.find((each) => each === value);
  if (chosen !== undefined || value === undefined) return chosen;
  throw new UsageError(`${flag} must be one of ${choices.join(", ")}; received ${JSON.stringify(value)}`);
}

/** The value of `--tools`. */
export function readToolsFlag(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  const given = names?.filter((name) => name !== "");
  if (given?.length !== 0) return given;
  throw new UsageError("--tools needs tool names, separated by commas");
}
