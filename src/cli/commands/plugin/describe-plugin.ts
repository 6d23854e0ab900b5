import { relative } from "node:path";
import type { PluginRecord } from "../../../config/plugins/plugin-records.ts";
import type { PluginContent } from "../../../config/plugins/read-plugin.ts";
import type { McpServerOptions } from "../../../mcp/client/server-options.ts";
import { shownHash } from "../../../shared/sha256.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { formatColumns } from "../../display/format-columns.ts";

export function describePlugin({
  name,
  version,
  hash,
  source,
}: Pick<PluginRecord, "name" | "version" | "hash" | "source">): string {
  const title = version === undefined ? name : `${name} ${version}`;
  return escapeLine(`${title} from ${source}, sha256 ${shownHash(hash)}`);
}

/** Everything that it brings, one line each, as it would run. */
export async function describeContent(content: PluginContent, root: string): Promise<string> {
  const { tools, modules, commands, options } = content;
  const { hooks = {}, mcpServers = {} } = options;
  const shorten = (word: string) => (word.startsWith(`${root}/`) ? `./${relative(root, word)}` : word);
  const rows = [
    ...(tools.length === 0 ? [] : [["tools", tools.join(", ")]]),
    ...modules.map((path) => ["module", `./${path}, which can add any tools and hooks`]),
    ...Object.entries(hooks).flatMap(([event, list = []]) =>
      list.map(({ command, mayApprove = false }) => {
        const power = mayApprove ? ", which may approve calls in your place" : "";
        return ["hook", `${event}: ${command.map(shorten).join(" ")}${power}`];
      }),
    ),
    ...Object.entries(mcpServers).map(([name, server]) => ["server", `${name}: ${describeServer(server)}`]),
    ...(commands.length === 0 ? [] : [["commands", commands.map((name) => `/${name}`).join(", ")]]),
  ];
  if (rows.length === 0) return "  nothing\n";
  return `${await formatColumns(rows.map(([kind = "", what = ""]) => [`  ${kind}`, escapeLine(what)]))}\n`;
}

function describeServer(server: McpServerOptions): string {
  if ("url" in server) return server.url;
  const variables = Object.entries(server.env ?? {}).map(([name, value]) => `${name}=${value}`);
  return [...variables, server.command, ...(server.args ?? [])].join(" ");
}
