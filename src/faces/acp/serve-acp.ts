import { once } from "node:events";
import type {
  AgentContext,
  ListSessionsResponse,
  McpServer,
  SessionInfo,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import type { SessionAgentOptions } from "../../capabilities/agents/open-agent.ts";
import { readSessionTitle } from "../../capabilities/agents/transcript/session-title.ts";
import { type Mode, modes } from "../../kernel/policy/decide.ts";
import type { Runtime } from "../../open-runtime.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { type AcpStreams, createAcpStream } from "./acp-stream.ts";
import { createEditorRuntimes, type OpenRuntimeIn } from "./editor-runtimes.ts";
import { type EditorSession, openEditorSession } from "./editor-sessions.ts";
import { modelChoice, modelOption } from "./model-choice.ts";
import type { PromptCommands } from "./prompt-commands.ts";
import { readPrompt } from "./read-prompt.ts";

export interface AcpOptions extends AcpStreams {
  readonly version: string;
  readonly agentOptions: SessionAgentOptions & { readonly model: string };
  /** Opens the runtime of a folder that the editor names. */
  readonly openRuntime: OpenRuntimeIn;
  /** Throws if the model cannot be used, before a conversation begins. */
  readonly checkModel: (model: string) => Promise<unknown>;
  /** Further models that the editor can choose from. Default: none. */
  readonly listModels?: () => Promise<readonly string[]>;
  /** Commands that a prompt may begin with in a folder. Default: none. */
  readonly findCommands?: (workspace: string) => Promise<PromptCommands>;
  /** Stops the server, like the end of its input. */
  readonly signal: AbortSignal;
  readonly onError?: (error: Error) => void;
}

/** Serves one editor until it disconnects; what runs then is cancelled and recorded. */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { version, agentOptions, checkModel, signal, onError } = options;
  const sdk = await loadAcpSdk();
  const runtimes = createEditorRuntimes(options.openRuntime);
  const sessions = new Map<string, EditorSession>();
  let editor = "an editor";
  let canAsk = false;
  let offered: readonly string[] = [];
  /** Requests for a session that are being answered: they count as sessions. */
  let opening = 0;

  const find = (sessionId: string): EditorSession => {
    const found = sessions.get(sessionId);
    if (found === undefined) throw sdk.RequestError.sessionNotFound(sessionId);
    return found;
  };
  const open = async (client: AgentContext, wanted: Wanted): Promise<EditorSession> => {
    const { sessionId } = wanted;
    if (sessionId !== undefined && sessions.has(sessionId)) await close(sessionId);
    if (sessions.size + opening >= maxSessions)
      throw new Error(`${maxSessions} sessions are open already; close one`);
    opening += 1;
    return openNew(client, wanted).finally(() => {
      opening -= 1;
    });
  };
  const openNew = async (
    client: AgentContext,
    { cwd, mcpServers = [], sessionId }: Wanted,
  ): Promise<EditorSession> => {
    await checkModel(agentOptions.model);
    offered = (await options.listModels?.().catch(() => [])) ?? [];
    const runtime = await runtimes.open(cwd, mcpServers);
    if (sessionId !== undefined && !(await runtime.sessions()).some(({ id }) => id === sessionId))
      throw sdk.RequestError.sessionNotFound(sessionId);
    const opened = await openEditorSession({
      runtime,
      client,
      agentOptions,
      findCommands: async () => (await options.findCommands?.(runtime.workspace)) ?? new Map(),
      canAsk,
      by: editor,
      ...(sessionId !== undefined && { id: sessionId }),
    });
    sessions.set(opened.session.id, opened);
    return opened;
  };
  const close = async (sessionId: string): Promise<void> => {
    const closing = sessions.get(sessionId);
    sessions.delete(sessionId);
    await closing?.close();
  };
  const optionsOf = ({ model }: EditorSession) => ({ configOptions: [modelChoice(model, offered)] });
  const stateOf = (opened: EditorSession): { modes: SessionModeState } => {
    // Once the editor knows the session's id.
    setImmediate(() => opened.tellCommands().catch((error: Error) => onError?.(error)));
    return { modes: modeState(opened.session.mode), ...optionsOf(opened) };
  };
  const told = tellingWhy(sdk);

  const connection = sdk
    .agent({ name: "toolwright" })
    .onRequest("initialize", ({ params: { clientInfo, clientCapabilities } }) => {
      canAsk = clientCapabilities?.elicitation?.form != null;
      if (clientInfo != null) editor = `editor ${oneLine(clientInfo.title ?? clientInfo.name, 80)}`;
      return {
        protocolVersion: sdk.PROTOCOL_VERSION,
        agentInfo: { name: "toolwright", title: "Toolwright", version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      };
    })
    .onRequest("authenticate", () => ({}))
    .onRequest("session/new", ({ params, client }) =>
      told(async () => {
        const opened = await open(client, params);
        return { sessionId: opened.session.id, ...stateOf(opened) };
      }),
    )
    .onRequest("session/load", ({ params, client }) =>
      told(async () => {
        const opened = await open(client, params);
        await opened.follower.replay();
        return stateOf(opened);
      }),
    )
    .onRequest("session/resume", ({ params, client }) =>
      told(async () => stateOf(await open(client, params))),
    )
    .onRequest("session/close", ({ params: { sessionId } }) =>
      told(async () => {
        find(sessionId);
        await close(sessionId);
        return {};
      }),
    )
    .onRequest("session/list", ({ params }) =>
      told(async () => listSessions(await runtimes.open(params.cwd ?? process.cwd()), params)),
    )
    .onRequest("session/set_mode", ({ params: { sessionId, modeId } }) =>
      told(async () => {
        const mode = findMode(modeId);
        if (mode === undefined) throw new TypeError(`unknown mode ${JSON.stringify(modeId)}`);
        const held = await find(sessionId).session.setMode(mode, { by: editor });
        if (held !== mode) throw new TypeError(`policy files allow no wider mode than ${held}`);
        return {};
      }),
    )
    .onRequest("session/set_config_option", ({ params: { sessionId, configId, value } }) =>
      told(async () => {
        const opened = find(sessionId);
        if (configId !== modelOption || typeof value !== "string")
          throw new TypeError(`unknown option ${JSON.stringify(configId)}`);
        await checkModel(value);
        opened.setModel(value);
        return optionsOf(opened);
      }),
    )
    .onRequest("session/prompt", ({ params: { sessionId, prompt }, signal: cancelled }) =>
      told(async () => {
        const session = find(sessionId);
        const cancel = () => session.cancel();
        cancelled.addEventListener("abort", cancel, { once: true });
        try {
          return await session.prompt(readPrompt(prompt));
        } finally {
          cancelled.removeEventListener("abort", cancel);
        }
      }),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) => sessions.get(sessionId)?.cancel())
    .connect(createAcpStream(options, { onError }));

  if (!signal.aborted) await Promise.race([connection.closed, once(signal, "abort")]);
  await Promise.allSettled([...sessions.keys()].map(close));
  await runtimes.close();
  connection.close();
}

const maxSessions = 64;

interface Wanted {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[];
  readonly sessionId?: string;
}

/** An editor shows the message of an error, so it says what went wrong; the SDK would only say that something did. */
function tellingWhy(sdk: AcpSdk) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof sdk.RequestError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new sdk.RequestError(error instanceof TypeError ? invalidParams : internalError, message);
    }
  };
}

const invalidParams = -32_602;
const internalError = -32_603;

/** The Agent Client Protocol's own SDK, loaded only by those who speak to an editor. */
function loadAcpSdk() {
  return import("@agentclientprotocol/sdk");
}

type AcpSdk = Awaited<ReturnType<typeof loadAcpSdk>>;

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

function findMode(id: string): Mode | undefined {
  return modes.find((mode) => mode === id);
}

/** A page of the project's conversations, the latest first; sub-agents have none of their own. */
async function listSessions(
  runtime: Runtime,
  { cwd, cursor }: { cwd?: string | null | undefined; cursor?: string | null | undefined },
): Promise<ListSessionsResponse> {
  const start = cursor == null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0)
    throw new TypeError(`unknown cursor ${JSON.stringify(cursor)}`);
  const all = (await runtime.sessions())
    .filter(({ parent, workspace }) => parent === undefined && (cwd == null || isSameFolder(workspace, cwd)))
    .toSorted((one, other) => (one.openedAt < other.openedAt ? 1 : -1));
  const page = all.slice(start, start + pageSize);
  const sessions = await Promise.all(
    page.map(async ({ id, workspace, openedAt, closedAt }): Promise<SessionInfo> => {
      const title = await readSessionTitle(runtime, id);
      return { sessionId: id, cwd: workspace, updatedAt: closedAt ?? openedAt, ...(title && { title }) };
    }),
  );
  const next = start + pageSize;
  return { sessions, ...(next < all.length && { nextCursor: String(next) }) };
}

const pageSize = 50;

function isSameFolder(one: string, other: string): boolean {
  return relativeInside(one, other) === "" || one === other;
}
