import { once } from "node:events";
import { modes } from "../../kernel/policy/index.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import {
  createEditorRuntimes,
  createOpenSessions,
  listSessions,
  modelOption,
  type OpenRuntimeIn,
  type OpenSessionsOptions,
} from "./acp-sessions.ts";
import { type AcpStreams, createAcpStream } from "./acp-stream.ts";
import { readPrompt } from "./read-prompt.ts";

export interface AcpOptions extends AcpStreams, OpenSessionsOptions {
  readonly version: string;
  /** Opens the runtime of a folder that the editor names. */
  readonly openRuntime: OpenRuntimeIn;
  /** Stops the server, like the end of its input. */
  readonly signal: AbortSignal;
}

/** Serves one editor until it disconnects; what runs then is cancelled and recorded. */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { version, checkModel, signal, onError } = options;
  const sdk = await loadAcpSdk();
  const runtimes = createEditorRuntimes(options.openRuntime);
  const sessions = createOpenSessions(options, { runtimes, notFound: sdk.RequestError.sessionNotFound });
  const told = tellingWhy(sdk);

  const connection = sdk
    .agent({ name: "toolwright" })
    .onRequest("initialize", ({ params: { clientInfo, clientCapabilities } }) => {
      sessions.editor.canAsk = clientCapabilities?.elicitation?.form != null;
      if (clientInfo != null)
        sessions.editor.name = `editor ${oneLine(clientInfo.title ?? clientInfo.name, 80)}`;
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
        const opened = await sessions.open(client, params);
        return { sessionId: opened.session.id, ...sessions.stateOf(opened) };
      }),
    )
    .onRequest("session/load", ({ params, client }) =>
      told(async () => {
        const opened = await sessions.open(client, params);
        await opened.follower.replay();
        return sessions.stateOf(opened);
      }),
    )
    .onRequest("session/resume", ({ params, client }) =>
      told(async () => sessions.stateOf(await sessions.open(client, params))),
    )
    .onRequest("session/close", ({ params: { sessionId } }) =>
      told(async () => {
        sessions.find(sessionId);
        await sessions.close(sessionId);
        return {};
      }),
    )
    .onRequest("session/list", ({ params }) =>
      told(async () => listSessions(await runtimes.open(params.cwd ?? process.cwd()), params)),
    )
    .onRequest("session/set_mode", ({ params: { sessionId, modeId } }) =>
      told(async () => {
        const mode = modes.find((each) => each === modeId);
        if (mode === undefined) throw new TypeError(`unknown mode ${JSON.stringify(modeId)}`);
        const held = await sessions.find(sessionId).session.setMode(mode, { by: sessions.editor.name });
        if (held !== mode) throw new TypeError(`policy files allow no wider mode than ${held}`);
        return {};
      }),
    )
    .onRequest("session/set_config_option", ({ params: { sessionId, configId, value } }) =>
      told(async () => {
        const opened = sessions.find(sessionId);
        if (configId !== modelOption || typeof value !== "string")
          throw new TypeError(`unknown option ${JSON.stringify(configId)}`);
        await checkModel(value);
        opened.setModel(value);
        return sessions.optionsOf(opened);
      }),
    )
    .onRequest("session/prompt", ({ params: { sessionId, prompt }, signal: cancelled }) =>
      told(async () => {
        const session = sessions.find(sessionId);
        const cancel = () => session.cancel();
        cancelled.addEventListener("abort", cancel, { once: true });
        try {
          return await session.prompt(readPrompt(prompt));
        } finally {
          cancelled.removeEventListener("abort", cancel);
        }
      }),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) => sessions.cancel(sessionId))
    .connect(createAcpStream(options, { onError }));

  if (!signal.aborted) await Promise.race([connection.closed, once(signal, "abort")]);
  await sessions.closeAll();
  await runtimes.close();
  connection.close();
}

/** Gives errors their own message, because an editor shows it; the SDK would only say that something went wrong. */
function tellingWhy(sdk: AcpSdk) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof sdk.RequestError) throw error;
      const code = error instanceof TypeError ? invalidParams : internalError;
      throw new sdk.RequestError(code, describeThrown(error));
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
