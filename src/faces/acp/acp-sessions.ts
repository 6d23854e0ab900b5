import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type {
  AgentContext,
  ListSessionsResponse,
  McpServer,
  SessionConfigOption,
  SessionInfo,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import type { SessionAgentOptions } from "../../capabilities/agents/index.ts";
import { readSessionTitle } from "../../capabilities/agents/transcript/session-title.ts";
import type { McpServerOptions } from "../../capabilities/mcp-client/index.ts";
import { type Mode, modes } from "../../kernel/policy/index.ts";
import type { Runtime } from "../../open-runtime.ts";
import { defined } from "../../shared/options/defined.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { type EditorSession, openEditorSession } from "./editor-sessions.ts";
import type { PromptCommands } from "./read-prompt.ts";

export interface OpenSessionsOptions {
  readonly agentOptions: SessionAgentOptions & { readonly model: string };
  /** Throws if the model cannot be used, before a conversation begins. */
  readonly checkModel: (model: string) => Promise<unknown>;
  /** Further models that the editor can choose from. Default: none. */
  readonly listModels?: () => Promise<readonly string[]>;
  /** Commands that a prompt may begin with in a folder. Default: none. */
  readonly findCommands?: (workspace: string) => Promise<PromptCommands>;
  readonly onError?: (error: Error) => void;
}

/** The sessions that one editor has open. */
export function createOpenSessions(
  { agentOptions, checkModel, listModels, findCommands, onError }: OpenSessionsOptions,
  { runtimes, notFound }: { runtimes: EditorRuntimes; notFound: (sessionId: string) => Error },
) {
  const sessions = new Map<string, EditorSession>();
  /** The editor as it has introduced itself. */
  const editor = { name: "an editor", canAsk: false };
  let offered: readonly string[] = [];
  /** How many sessions are being opened: they count as open ones. */
  let opening = 0;

  const openNew = async (
    client: AgentContext,
    { cwd, mcpServers = [], sessionId: id }: Wanted,
  ): Promise<EditorSession> => {
    await checkModel(agentOptions.model);
    offered = (await listModels?.().catch(() => [])) ?? [];
    const runtime = await runtimes.open(cwd, mcpServers);
    if (id !== undefined && !(await runtime.sessions()).some((each) => each.id === id)) throw notFound(id);
    const opened = await openEditorSession({
      runtime,
      client,
      agentOptions,
      findCommands: async () => (await findCommands?.(runtime.workspace)) ?? new Map(),
      canAsk: editor.canAsk,
      by: editor.name,
      id,
    });
    sessions.set(opened.session.id, opened);
    return opened;
  };
  const close = async (sessionId: string): Promise<void> => {
    const closing = sessions.get(sessionId);
    sessions.delete(sessionId);
    await closing?.close();
  };
  const optionsOf = ({ model }: EditorSession): { configOptions: SessionConfigOption[] } => ({
    configOptions: [modelChoice(model, offered)],
  });
  return {
    editor,
    close,
    optionsOf,
    /** Throws if there is no such session. */
    find(sessionId: string): EditorSession {
      const found = sessions.get(sessionId);
      if (found === undefined) throw notFound(sessionId);
      return found;
    },
    async open(client: AgentContext, wanted: Wanted): Promise<EditorSession> {
      const { sessionId } = wanted;
      if (sessionId !== undefined && sessions.has(sessionId)) await close(sessionId);
      if (sessions.size + opening >= maxSessions)
        throw new Error(`${maxSessions} sessions are open already; close one`);
      opening += 1;
      return openNew(client, wanted).finally(() => {
        opening -= 1;
      });
    },
    async closeAll(): Promise<void> {
      await Promise.allSettled([...sessions.keys()].map(close));
    },
    cancel: (sessionId: string) => sessions.get(sessionId)?.cancel(),
    /** The fields that tell the editor about a session that it has just opened. */
    stateOf(opened: EditorSession) {
      // Once the editor knows the session's id.
      setImmediate(() => opened.tellCommands().catch((error: Error) => onError?.(error)));
      return { modes: modeState(opened.session.mode), ...optionsOf(opened) };
    },
  };
}

const maxSessions = 64;

interface Wanted {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[];
  readonly sessionId?: string;
}

const shown = {
  readonly: ["Read only", "Reads and searches; changes nothing"],
  ask: ["Ask", "Asks before it changes files or runs commands that do more than read"],
  edit: ["Edit", "Changes files in the project without asking"],
  auto: ["Auto", "Asks only where a rule says so"],
} satisfies Record<Mode, readonly [name: string, description: string]>;

function modeState(current: Mode): SessionModeState {
  return {
    currentModeId: current,
    availableModes: modes.map((id) => ({ id, name: shown[id][0], description: shown[id][1] })),
  };
}

/** The id of the option with which an editor chooses the model. */
export const modelOption = "model";

/** The models that an editor can choose, as an option of a session; the one in use is always among them. */
function modelChoice(current: string, offered: readonly string[]): SessionConfigOption {
  const names = [...new Set([current, ...offered])];
  return {
    type: "select",
    id: modelOption,
    category: "model",
    name: "Model",
    currentValue: current,
    options: names.map((name) => ({ value: name, name: oneLine(name, maxName) })),
  };
}

const maxName = 100;

/** A page of the project's conversations, the latest first. The sessions of sub-agents are not listed. */
export async function listSessions(
  runtime: Runtime,
  { cwd, cursor }: { cwd?: string | null | undefined; cursor?: string | null | undefined },
): Promise<ListSessionsResponse> {
  const start = cursor == null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0)
    throw new TypeError(`unknown cursor ${JSON.stringify(cursor)}`);
  const all = (await runtime.sessions())
    .filter(({ parent }) => parent === undefined)
    .filter(({ workspace }) => cwd == null || workspace === cwd || relativeInside(workspace, cwd) === "")
    .toSorted((one, other) => (one.openedAt < other.openedAt ? 1 : -1));
  const page = all.slice(start, start + pageSize);
  const sessions = await Promise.all(
    page.map(async ({ id, workspace, openedAt, closedAt }): Promise<SessionInfo> => {
      const title = await readSessionTitle(runtime, id);
      return { sessionId: id, cwd: workspace, updatedAt: closedAt ?? openedAt, ...defined({ title }) };
    }),
  );
  const next = start + pageSize;
  return { sessions, ...defined({ nextCursor: next < all.length ? String(next) : undefined }) };
}

const pageSize = 50;

type McpServers = Readonly<Record<string, McpServerOptions>>;

export type OpenRuntimeIn = (cwd: string, servers: McpServers) => Promise<Runtime>;

type EditorRuntimes = ReturnType<typeof createEditorRuntimes>;

/** The runtimes of an editor's projects: one for each folder, and for each list of MCP servers that it gives. */
export function createEditorRuntimes(openIn: OpenRuntimeIn) {
  const opened = new Map<string, Promise<Runtime>>();
  return {
    async open(cwd: string, given: readonly McpServer[] = []): Promise<Runtime> {
      if (!isAbsolute(cwd))
        throw new TypeError(`cwd must be an absolute path; received ${JSON.stringify(cwd)}`);
      const isFolder = (await stat(cwd).catch(() => undefined))?.isDirectory() ?? false;
      if (!isFolder) throw new TypeError(`${cwd} is not a folder`);
      const servers = toServers(given);
      const key = JSON.stringify([cwd, servers]);
      const known = opened.get(key);
      if (known !== undefined) return known;
      if (opened.size >= maxRuntimes) throw new Error(`${maxRuntimes} projects are open already`);
      const opening = openIn(cwd, servers);
      opened.set(key, opening);
      // The cause may be gone next time.
      opening.catch(() => opened.delete(key));
      return opening;
    },
    async close(): Promise<void> {
      const runtimes = await Promise.allSettled(opened.values());
      await Promise.all(runtimes.map((each) => each.status === "fulfilled" && each.value.close()));
    },
  };
}

const maxRuntimes = 32;

/** The editor's servers as options of a runtime. */
function toServers(given: readonly McpServer[]): McpServers {
  return Object.fromEntries(
    given.map((server): [string, McpServerOptions] => {
      if ("url" in server) {
        const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
        return [server.name, { type: server.type, url: server.url, headers }];
      }
      const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
      return [server.name, { command: server.command, args: server.args, env }];
    }),
  );
}
