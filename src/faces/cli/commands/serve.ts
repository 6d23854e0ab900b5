import { join, resolve } from "node:path";
import { isatty } from "node:tty";
import { type Session, stateFolderOf } from "../../../kernel/runtime/index.ts";
import { absoluteStore } from "../../../kernel/store/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { ClientConfiguration } from "../../mcp-server/http/client-configurations.ts";
import { attendedAnswers } from "../ask/is-attended.ts";
import { type Command, type Invocation, UsageError } from "../command.ts";
import { describeCallInLine, summarize } from "../display/describe-call.ts";
import { asUsage } from "../open/as-usage.ts";
import {
  maxServerFiles,
  reportClientErrors,
  reportServers,
  servingOptions,
  whileSurviving,
} from "../open/serving-options.ts";
import { warnOfRisks, withRuntime } from "../open/with-runtime.ts";
import { readToolsFlag } from "../read-values.ts";
import { type CommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";
import { stopSignal, whenAborted } from "../terminal/stop-signal.ts";

export default {
  usage: "[FILE …]",
  arguments: [0, maxServerFiles],
  flags: ["client", "port", "host", "allow-host", "gateway", "tools"],
  example: "--client laptop --mode edit",
  note: "Serves the Model Context Protocol at /mcp until interrupted. Each client has its own token and session. With --gateway, each FILE lists MCP servers in the format of .mcp.json.",

  run: (invocation) => whileSurviving(invocation.output, () => serveClients(invocation)),
} satisfies Command;

async function serveClients(invocation: Invocation): Promise<undefined> {
  const { flags } = invocation;
  if (flags.session !== undefined)
    throw new UsageError("serve does not take --session: each client has its own session");
  const signal = stopSignal();
  const keepScreen = createLock();
  if (isatty(2)) surviveTerminalClose();
  const serving = await servingOptions(flags, invocation.arguments);
  // For the calls of clients that cannot ask their own person.
  const options = { ...serving, ...(await attendedAnswers(keepScreen)) };
  await withRuntime(options, (runtime) => serve(runtime, invocation, { signal, keepScreen }));
}

async function serve(
  runtime: Runtime,
  invocation: Invocation,
  { signal, keepScreen }: { signal: AbortSignal; keepScreen: ReturnType<typeof createLock> },
): Promise<void> {
  const { flags, output } = invocation;
  const { workspace } = runtime;
  const tools = readToolsFlag(flags.tools);
  // An agent refuses unknown names at once, a client's session only at its first request.
  if (tools !== undefined) await asUsage(async () => runtime.agent({ model: "none", tools }));
  const { openClientTokens } = await import("../../mcp-server/http/client-tokens.ts");
  const { serveHttp } = await import("../../mcp-server/http/serve-http.ts");
  const tokens = await openClientTokens(join(stateFolderOf(workspace), "mcp-clients"));
  const client = flags.client ?? "default";
  const token = await asUsage(() => tokens.ensure(client));
  const { host = "127.0.0.1" } = flags;
  const port = readPort(flags.port);
  const serving = await serveHttp(runtime, {
    version: await invocation.readPackageVersion(),
    tokens,
    host,
    port,
    allowedHosts: readHostNames(flags["allow-host"]),
    ...defined({ dialect: flags.dialect, tools }),
    onClient(name, session) {
      const show = (text: string) => keepScreen(() => output.tell(text));
      // A line that cannot be shown does no harm; the log has it.
      showCalls(name, session, { workspace, output, show }).catch(() => {});
    },
    onError: reportClientErrors(output),
  }).catch((error: NodeJS.ErrnoException) => {
    throw describeListenFailure(error, { host, port });
  });
  const { clientConfigurations, tokenVariable } = await import(
    "../../mcp-server/http/client-configurations.ts"
  );
  const { url } = serving;
  const configurations = clientConfigurations({ url, token, command: stdioCommand(runtime, invocation) });
  await output.write(
    flags.json
      ? `${JSON.stringify({ url, client, token, configurations })}\n`
      : describe(configurations, { url, client, tokenLine: `export ${tokenVariable}=${token}` }),
  );
  await reportServers(runtime, flags, output);
  await warnOfRisks(runtime, output);
  if (!isLoopback(host))
    await output.tell(
      `Listening on ${host}: anyone who can reach it and has a token can call tools here, and traffic is not encrypted.`,
    );
  await output.tell(`Serving ${workspace} at ${url}. Press Ctrl-C to stop.`);
  await output.tell(`New here? In another terminal, \`${ownCommand()} demo\` shows what happens to a call.`);
  await whenAborted(signal);
  await output.tell("Stopping once running calls have finished or been cancelled.");
  await serving.close();
}

// Fixed, so that the configuration pasted into a client keeps working.
const defaultPort = 4747;

function readPort(value: string | undefined): number {
  if (value === undefined) return defaultPort;
  if (/^\d{1,5}$/.test(value) && Number(value) < 65_536) return Number(value);
  throw new UsageError(`--port must be a number from 0 to 65535; received ${JSON.stringify(value)}`);
}

function readHostNames(value: string | undefined): string[] {
  const names = value?.split(",").map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !/^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(name));
  if (wrong === undefined) return names;
  throw new UsageError(
    `--allow-host: ${JSON.stringify(wrong)} is not a host name; write name or name:port, separated by commas`,
  );
}

function describeListenFailure(
  cause: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): Error {
  switch (cause.code) {
    case "EADDRINUSE":
      return new Error(
        `port ${port} is in use, perhaps by another \`toolwright serve\`; choose another with --port`,
        { cause },
      );
    case "EACCES":
      return new Error(`no permission to listen on port ${port}; choose another with --port`, { cause });
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
      return new UsageError(`--host: ${host} is not an address of this machine`, { cause });
    default:
      return cause;
  }
}

/** The command as the person typed it: npm does not put `toolwright` on the PATH. */
function ownCommand(): string {
  return process.env.npm_command === undefined ? "toolwright" : "npx toolwright";
}

/** The command that serves the same over stdio, from any folder. */
function stdioCommand({ workspace }: Runtime, { flags, arguments: files }: Invocation): string[] {
  const { mode, dialect, gateway, tools } = flags;
  const store = flags.store === undefined ? undefined : absoluteStore(flags.store, process.cwd());
  const config = flags.config === undefined ? undefined : resolve(flags.config);
  const words = Object.entries({ workspace, mode, dialect, store, config, tools }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const servers = gateway ? ["--gateway", ...files.map((file) => resolve(file))] : [];
  return [process.execPath, process.argv[1] ?? "toolwright", "mcp", ...words, ...servers];
}

function describe(
  configurations: readonly ClientConfiguration[],
  { url, client, tokenLine }: { url: string; client: string; tokenLine: string },
): string {
  const parts = configurations.map(({ client: name, place, text }) => `${name} (${place}):\n\n${text}\n`);
  return [
    `MCP server at ${url}, with the token for client ${client}:\n`,
    `${tokenLine}\n`,
    ...parts,
    "",
  ].join("\n");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** Shows the person at the terminal what a client does. */
async function showCalls(
  client: string,
  session: Session,
  { workspace, output, show }: CallDisplay,
): Promise<void> {
  const { styleMessage: style } = output;
  const name = style("dim", client);
  for await (const event of session.events({ since: await session.bookmark() })) {
    const maxColumns = (output.messageColumns() ?? wideColumns) - client.length - 1;
    if (event.type === "call-end")
      await show(`${name} ${describeCallInLine(event, { style, workspace, maxColumns })}`);
    if (event.type !== "approval-request") continue;
    const about = `${escapeLine(event.tool)} ${summarize(event.input, workspace)}`;
    await show(`${name} ${style("yellow", "?")} ${about}: needs approval`);
  }
}

interface CallDisplay {
  readonly workspace: string;
  readonly output: CommandOutput;
  show(text: string): Promise<void>;
}

const wideColumns = 120;
