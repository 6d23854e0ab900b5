import { UsageError } from "./usage-error.ts";

/** Parses a tool's input from the command line: no argument means `{}`, `-` reads it from stdin. */
export async function readJsonArgument(argument: string | undefined): Promise<unknown> {
  if (argument === undefined) return {};
  const json = argument === "-" ? await readStdin() : argument;
  try {
    return JSON.parse(json);
  } catch (cause) {
    const where = argument === "-" ? "stdin" : "the input";
    throw new UsageError(`${where} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

export async function readStdin(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}
