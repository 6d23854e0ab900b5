import { relative } from "node:path";
import type { McpServerOptions } from "../../../../capabilities/mcp-client/index.ts";
import { shownHash } from "../../../../shared/crypto.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { labelRows, ownRows } from "../../../../shared/text/mark-rows.ts";
import { quoteWord } from "../../../../shared/text/quote-controls.ts";
import type { PluginRecord } from "../../config/plugins/plugin-records.ts";
import type { PluginContent } from "../../config/plugins/read-plugin.ts";

export function describePlugin({
  name,
  version,
  hash,
  source,
}: Pick<PluginRecord, "name" | "version" | "hash" | "source">): string {
  const title = version === undefined ? name : `${name} ${version}`;
  return escapeLine(`${title} from ${source}, sha256 ${shownHash(hash)}`);
}

/** Formats the plugin and everything that it brings, as it would run, in rows that no text of it can leave. */
export function formatPlugin(
  record: Parameters<typeof describePlugin>[0],
  { content, root, columns }: { content: PluginContent; root: string; columns: number },
): string[] {
  const rows = listContent(content, root).flatMap(([kind, what]) =>
    labelRows(`  ${kind.padEnd(kindColumns)}`, what, columns),
  );
  return [...ownRows(describePlugin(record), columns), ...(rows.length === 0 ? ["  nothing"] : rows)];
}

const kindColumns = 9;

function listContent(content: PluginContent, root: string): [kind: string, what: string][] {
  const { tools, modules, commands, options } = content;
  const { hooks = {}, mcpServers = {} } = options;
  const shorten = (word: string) => (word.startsWith(`${root}/`) ? `./${relative(root, word)}` : word);
  const rows: [kind: string, what: string][] = [
    ["tools", tools.join(", ")],
    ...modules.map((path): [string, string] => ["module", `./${path}, which can add any tools and hooks`]),
    ...Object.entries(hooks).flatMap(([event, list = []]) =>
      list.map(({ command, mayApprove = false }): [string, string] => {
        const power = mayApprove ? ", which may approve calls in your place" : "";
        return ["hook", `${event}: ${commandOf(command.map(shorten))}${power}`];
      }),
    ),
    ...Object.entries(mcpServers).map(([name, server]): [string, string] => [
      "server",
      `${name}: ${describeServer(server, { root, shorten })}`,
    ]),
    ["commands", commands.map((name) => `/${name}`).join(", ")],
  ];
  return rows.filter(([, what]) => what !== "");
}

/** Writes a command with quotes, so that the person sees where each word ends. */
function commandOf(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function describeServer(
  server: McpServerOptions,
  { root, shorten }: { root: string; shorten: (word: string) => string },
): string {
  if ("url" in server) {
    const headers = Object.entries(server.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    return headers.length === 0 ? server.url : `${server.url} with headers ${headers.join(", ")}`;
  }
  const { env = {}, command, args = [], passEnvironment = [], cwd = root } = server;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const passed = passEnvironment.length === 0 ? "" : `, with your ${passEnvironment.join(", ")}`;
  const place = cwd === root ? "" : `, in ${shorten(cwd)}`;
  return `${[...variables, commandOf([command, ...args].map(shorten))].join(" ")}${passed}${place}`;
}
