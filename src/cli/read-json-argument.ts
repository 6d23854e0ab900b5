import { UsageError } from "./usage-error.ts";

/** A tool's input from the command line: nothing means `{}`, `-` means that it comes through stdin. */
export async function readJsonArgument(argument: string | undefined): Promise<unknown> {
  if (argument === undefined) return {};
  const json = argument === "-" ? await readStdin() : argument;
  try {
    return JSON.parse(json);
  } catch (cause) {
    const where = argument === "-" ? "what came through stdin" : "the input";
    throw new UsageError(`${where} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

async function readStdin(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}
