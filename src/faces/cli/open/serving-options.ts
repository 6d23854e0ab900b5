import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RuntimeOptions } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { surviveStrays } from "../../../shared/stray-rejections.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { escapeControls } from "../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { UsageError } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

export const maxServerFiles = 100;

/** The options for `serve` and `mcp`: without `--gateway`, tools of other MCP servers are not offered. */
export async function servingOptions(flags: FlagValues, files: readonly string[]): Promise<RuntimeOptions> {
  const options = await optionsFromFlags(flags);
  if (!flags.gateway) {
    if (files.length > 0)
      throw new UsageError(
        `unexpected argument ${JSON.stringify(files[0])}; files of MCP servers need --gateway`,
      );
    return { ...options, mcpServers: "off" };
  }
  const { readMcpServers } = await import("../../../capabilities/mcp-client/server-file.ts");
  const readFile = async (file: string) => ({ file, servers: await readMcpServers(resolve(file)) });
  const read = await asUsage(() => Promise.all(files.map(readFile)));
  const named = options.mcpServers === "off" ? {} : options.mcpServers;
  return { ...options, mcpServers: { ...joinServers(read), ...named } };
}

type Servers = Exclude<RuntimeOptions["mcpServers"], "off" | undefined>;

/** Refuses different servers of the same name: the order of the files does not say which one is meant. */
function joinServers(read: readonly { file: string; servers: Servers }[]): Servers {
  const joined = new Map<string, { options: Servers[string]; file: string }>();
  for (const { file, servers } of read) {
    for (const [name, options] of Object.entries(servers)) {
      const earlier = joined.get(name);
      if (earlier !== undefined && !isDeepStrictEqual(earlier.options, options)) {
        throw new UsageError(`${earlier.file} and ${file} define different MCP servers named ${name}`);
      }
      joined.set(name, { options, file });
    }
  }
  return Object.fromEntries([...joined].map(([name, { options }]) => [name, options]));
}

/** With `--gateway`, reports servers that are not running, or that there are none. */
export async function reportServers(
  { mcp }: Runtime,
  flags: FlagValues,
  output: CommandOutput,
): Promise<void> {
  if (!flags.gateway) return;
  const servers = mcp.servers();
  if (servers.length === 0) await output.tell("No MCP servers are configured for the gateway.");
  for (const { name, status, reason } of servers) {
    if (status === "running") continue;
    const why = reason === undefined ? "" : `: ${reason}`;
    await output.tell(escapeControls(`MCP server ${name} is ${status}${why}`));
  }
}

/** Reports errors of a client, in one bounded line, because the client may have chosen the words. */
export function reportClientErrors(output: CommandOutput): (error: Error) => void {
  return ({ message }) => void output.tell(`toolwright: ${oneLine(message, maxCharacters)}`);
}

/** Keeps one tool's error, thrown in a timer or callback, from ending the calls of all clients. */
export async function whileSurviving<Result>(
  output: CommandOutput,
  work: () => Promise<Result>,
): Promise<Result> {
  const report = reportClientErrors(output);
  const stop = surviveStrays((error) =>
    report(
      new Error(`something failed in the background, and no code waited for it: ${describeThrown(error)}`),
    ),
  );
  try {
    return await work();
  } finally {
    stop();
  }
}

const maxCharacters = 500;

/** Takes stdout for a protocol: whatever else is printed, for example by a tool, goes to stderr instead. */
export function takeStdout(): Pick<NodeJS.WriteStream, "write" | "on"> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return { write, on: stdout.on.bind(stdout) };
}
