import { watch } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SourceProblem, ToolSource } from "../../kernel/registry/index.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { listApprovals, type McpApproval, parseApprovalId } from "./approval/mcp-approvals.ts";
import { openPins, type PinSubject, type Pins } from "./approval/pins.ts";
import type { McpCatalogue } from "./catalogue/clean-entries.ts";
import { checkServerOptions } from "./check-server-options.ts";
import { depthOf } from "./connection/create-transport.ts";
import { readProjectFile } from "./server-file.ts";
import type { ConfiguredServer, LaunchOptions, McpServerStatus } from "./server-launch.ts";
import { checkServerName, couldBeToolOf, findConfusable } from "./server-names.ts";
import type { McpServerOptions } from "./server-options.ts";
import { createServerSource, type ServerSource } from "./server-source.ts";

/** The MCP servers of a runtime. */
export interface RuntimeMcp {
  servers(): readonly McpServerStatus[];
  /** The resources and prompts of each server, as far as it has been connected. */
  catalogues(): readonly McpCatalogue[];
  /** Calls the listener whenever the catalogues may have changed. Returns a function that stops this. */
  onCatalogueChange(listener: () => void): () => void;
  /** Waits until no server is connecting any more, whether it succeeded or not. */
  ready(options?: ReadyOptions): Promise<void>;
  /** All that needs a person's approval: new servers of the workspace, and servers and tools that changed since theirs. */
  approvals(): Promise<readonly McpApproval[]>;
  approve(id: string): Promise<void>;
  deny(id: string): Promise<void>;
}

export interface McpClient extends RuntimeMcp {
  /** One source per server, after one that reports servers that cannot be used, if there are any. */
  readonly sources: readonly ToolSource[];
  close(): Promise<void>;
}

export interface McpClientOptions {
  readonly servers: Readonly<Record<string, McpServerOptions>>;
  /** Its `.toolwright/mcp.json` is read too. */
  readonly workspace: string;
  /** Stores the approvals of servers from the options. */
  readonly pinFile: string;
  /** Stores the approvals of servers from the workspace's file. */
  readonly projectPinFile: string;
  readonly start: LaunchOptions["start"];
  readonly webClient: LaunchOptions["webClient"];
  readonly environment?: NodeJS.ProcessEnv;
}

export async function openMcpClient(options: McpClientOptions): Promise<McpClient> {
  const { workspace, start, webClient, environment = process.env } = options;
  const named = checkServers(options.servers);
  const project = await readProject(workspace, named);
  const pins = await openPins(options.pinFile);
  const isShared = options.projectPinFile === options.pinFile;
  const projectPins = isShared ? pins : await openPins(options.projectPinFile);
  const pinsOf = ({ origin }: Pick<ConfiguredServer, "origin">) =>
    origin === "project" ? projectPins : pins;

  const isTooDeep = depthOf(environment) >= maxDepth;
  const configured = isTooDeep ? [] : [...named, ...project.servers];
  projectPins.forgetUndeclared(new Set(configured.map(({ name }) => name)));
  await projectPins.save();
  const credentialFolder = join(dirname(options.pinFile), "mcp-credentials");
  const listeners = new Set<() => void>();
  const onCatalogue = () => {
    for (const listener of listeners) listener();
  };
  const shared = { onCatalogue, credentialFolder, workspace, environment, start, webClient };
  const sources = configured.map((server) => createServerSource(server, { ...shared, pins: pinsOf(server) }));
  const problems = isTooDeep ? [...project.problems, tooDeep] : project.problems;

  const reconsider = () => Promise.all(sources.map((source) => source.onDecision()));
  const reloadPins = async () => {
    const [hasNew, projectHasNew] = await Promise.all([pins.reload(), projectPins.reload()]);
    if (hasNew || projectHasNew) await reconsider();
  };
  const decide = async (id: string, decision: "approve" | "deny") => {
    const { hash, ...subject } = parseApprovalId(id);
    const server = configured.find(({ name }) => name === subject.server);
    const chosen = server === undefined ? pins : pinsOf(server);
    for (const each of subject.tool === "*" ? pendingTools(chosen, subject.server) : [subject]) {
      await (decision === "approve" ? chosen.approve(each, hash) : chosen.deny(each));
    }
    await reconsider();
  };
  const isWatched = isShared || project.servers.length > 0;
  const stopWatching = isWatched
    ? await watchPins(options.projectPinFile, () => void reloadPins().catch(() => {}))
    : () => {};

  return {
    sources: problems.length === 0 ? sources : [problemSource(problems), ...sources],
    servers: () => sources.map((source: ServerSource) => source.status()),
    catalogues: () => sources.map((source) => source.catalogue()),
    onCatalogueChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: (wanted) => waitUntilConnected(sources, wanted),
    async approvals() {
      const listed = await Promise.all([...new Set([pins, projectPins])].map(listApprovals));
      return listed.flat();
    },
    approve: (id) => decide(id, "approve"),
    deny: (id) => decide(id, "deny"),
    async close() {
      stopWatching();
    },
  };
}

function pendingTools(pins: Pins, server: string): PinSubject[] {
  const pending = pins.list().filter((pin) => pin.server === server && pin.tool !== undefined && pin.pending);
  if (pending.length === 0) throw new TypeError(`no tool of ${server} needs approval`);
  return pending.map(({ tool }) => ({ server, tool: tool! }));
}

/** Throws for servers from code or the command line that could not work. */
function checkServers(servers: Readonly<Record<string, unknown>>): ConfiguredServer[] {
  const names = Object.keys(servers);
  return Object.entries(servers).map(([name, options]) => {
    checkServerName(name);
    checkServerOptions(name, options);
    const confusable = findConfusable(name, names);
    if (confusable !== undefined) throw new TypeError(describeConfusable(name, confusable));
    return { name, options, origin: "options" };
  });
}

const maxDepth = 3;

const tooDeep = {
  subject: "TOOLWRIGHT_MCP_DEPTH",
  message:
    "MCP servers are not started: Toolwright is nested too deeply in MCP servers, probably because it is configured as its own server",
};

type Problem = Omit<SourceProblem, "source">;

async function readProject(
  workspace: string,
  named: readonly ConfiguredServer[],
): Promise<{ servers: ConfiguredServer[]; problems: Problem[] }> {
  const file = join(workspace, ".toolwright", "mcp.json");
  const servers: ConfiguredServer[] = [];
  const problems: Problem[] = [];
  if ((await stat(file).catch(() => undefined)) === undefined) return { servers, problems };
  try {
    const listed = await readProjectFile(file);
    problems.push(...listed.problems);
    for (const [name, options] of listed.servers) {
      const taken = [...named, ...servers].map((server) => server.name);
      const confusable = findConfusable(name, taken);
      if (taken.includes(name)) {
        problems.push({
          subject: name,
          message: `the entry in ${file} is ignored: the options configure a server of the same name`,
          severity: "warning",
        });
      } else if (confusable !== undefined) {
        problems.push({ subject: name, message: describeConfusable(name, confusable) });
      } else servers.push({ name, options, origin: "project" });
    }
  } catch (error) {
    problems.push({ subject: file, message: describeThrown(error) });
  }
  return { servers, problems };
}

function describeConfusable(name: string, other: string): string {
  return `tools of the MCP servers ${other} and ${name} could get the same name; rename one of the servers`;
}

function problemSource(problems: readonly Problem[]): ToolSource {
  const source = "mcp servers";
  return {
    id: source,
    layer: "mcp",
    tools: () => [],
    problems: () => problems.map((problem) => ({ source, ...problem })),
  };
}

/** Makes approvals given at a terminal take effect in running processes. */
async function watchPins(file: string, onChange: () => void): Promise<() => void> {
  let settling: NodeJS.Timeout | undefined;
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name !== basename(file)) return;
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMs).unref();
  });
  // Without a listener the error would end the process.
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(settling);
    watcher.close();
  };
}

const settleMs = 50;

export interface ReadyOptions {
  /** Waits only for servers that may have a tool with this name. */
  readonly tool?: string;
  /** Also waits while a person signs in, however long that takes. */
  readonly forPerson?: boolean;
  /** Ends the wait; the promise never rejects. */
  readonly signal?: AbortSignal;
  /** Called for each server that is waited for, and again when the reason changes. */
  readonly onWait?: (server: McpServerStatus) => void;
}

export const readyKeys = knownKeys<ReadyOptions>({
  tool: value,
  forPerson: value,
  signal: foreign,
  onWait: value,
});

/** Resolves when no server is connecting any more: each one is running, or its status says why not. */
export async function waitUntilConnected(
  sources: readonly ServerSource[],
  options: ReadyOptions = {},
): Promise<void> {
  refuseUnknownKeys(options, readyKeys, "ready");
  const { tool, forPerson = false, signal, onWait = () => {} } = options;
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  signal?.addEventListener("abort", end, { once: true });
  const isWaitedFor = (source: ServerSource) => {
    if (signal?.aborted) return false;
    const cause = source.waitsFor();
    return cause === "server" || (cause === "person" && forPerson);
  };
  const follow = async (source: ServerSource) => {
    let reported: string | undefined = "";
    while (isWaitedFor(source)) {
      const status = source.status();
      if (status.reason !== reported) onWait(status);
      reported = status.reason;
      await Promise.race([source.changed(), ended.promise]);
    }
  };
  const meant = sources.filter(({ server }) => tool === undefined || couldBeToolOf(server, tool));
  for (const source of meant) source.want();
  try {
    await Promise.all(meant.map(follow));
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
