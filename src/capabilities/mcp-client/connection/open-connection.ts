import { setTimeout as wait } from "node:timers/promises";
import type {
  CallToolResult,
  CompleteRequest,
  GetPromptResult,
  Progress,
  ReadResourceResult,
  RequestOptions,
  Tool,
  Transport,
} from "@modelcontextprotocol/client";
import { maxDelayMs } from "../../../shared/deadline.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import {
  type Ask,
  answerElicitation,
  createAskingCalls,
  requestOfServer,
} from "../call/answer-elicitation.ts";
import { isStdio, type McpServerOptions } from "../server-options.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import { createTransport, type TransportKind, type TransportOptions } from "./create-transport.ts";
import { limitRequests, type ServerExcess } from "./limit-requests.ts";
import { type ByteMeter, createByteMeter, type ListKind, listAll, maxPages } from "./list-all.ts";
import type { ClientSdk } from "./load-client-sdk.ts";
import { untilDeadline } from "./until-deadline.ts";

/** An open connection to a server. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

export type ServerOffers = Connection["offers"];

export interface PromptUse {
  readonly name: string;
  readonly arguments?: Record<string, string>;
}

/** The beginning of one argument of a prompt or a template, as a person has typed it so far. */
export type TypedArgument = Pick<CompleteRequest["params"], "ref" | "argument" | "context">;

/** Receives a call's progress and answers the server's questions. */
export interface CallUse {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly ask: Ask;
}

export interface ConnectionOptions extends TransportOptions {
  /** Ends the attempt, and later all requests other than calls. */
  readonly signal: AbortSignal;
  /** The tools have changed, or there was an error outside of any call, which the connection may survive. */
  readonly onStale: () => void;
  /** The server's resources or prompts have changed. */
  readonly onCatalogue: () => void;
  /** The connection has ended. */
  readonly onClosed: (reason: string, excess: ServerExcess | undefined) => void;
}

/** Connects with the first protocol and transport that the server supports. */
export async function openConnection(options: McpServerOptions, use: ConnectionOptions) {
  const [first, ...others] = attemptsFor(options);
  let attempt = first!;
  for (;;) {
    const meter = createByteMeter();
    const abandoning = new AbortController();
    const abandoned = AbortSignal.any([abandoning.signal, use.signal]);
    const timeoutMs = options.connectTimeoutMs ?? defaultTimeoutMs;
    const abandon = () => abandoning.abort();
    const transport = createTransport(attempt.kind, options, { ...use, onBytes: meter.onBytes, abandoned });
    const excess = limitRequests(transport);
    const signIn = (error: unknown) =>
      signInIfNeeded(error, transport, { ...use, signal: abandoned, timeoutMs });
    try {
      const connection = await connect(transport, attempt, { ...use, excess, meter, timeoutMs });
      return { ...connection, signInIfNeeded: signIn, close: () => connection.close().finally(abandon) };
    } catch (error) {
      // Requests that are still open would otherwise sign in at the same time as the next attempt.
      if (await signIn(error).finally(abandon)) continue;
      const isOver = use.signal.aborted || excess() !== undefined;
      const next = isOver ? undefined : others.find((each) => each.mayFollow(error, use.sdk));
      if (next === undefined) throw excess() ?? describeFailure(error, transport);
      others.splice(0, others.indexOf(next) + 1);
      attempt = next;
    }
  }
}

// Long enough for a program that is downloaded first; only callers of its tools wait for it.
const defaultTimeoutMs = 60_000;
// A server that predates the probe may not answer it; a server that is slow to start must not be taken for one.
const maxProbeMs = 10_000;

interface Attempt {
  readonly kind: TransportKind;
  /** Whether to ask for the protocol first, or to begin with the handshake that older servers expect. */
  readonly probes: boolean;
  mayFollow(error: unknown, sdk: TransportOptions["sdk"]): boolean;
}

/** The attempts to make, the likeliest first. */
function attemptsFor(options: McpServerOptions): Attempt[] {
  if (!isStdio(options)) {
    const kinds = options.type === undefined ? (["http", "sse"] as const) : [options.type];
    return kinds.map((kind) => ({ kind, probes: kind === "http", mayFollow: isUnknownThere }));
  }
  // Some servers exit at the first message they do not know; those are started again.
  return [
    { kind: "stdio", probes: true, mayFollow: () => false },
    { kind: "stdio", probes: false, mayFollow: isClosedOnProbe },
  ];
}

function isUnknownThere(error: unknown, sdk: TransportOptions["sdk"]): boolean {
  return error instanceof sdk.SdkHttpError && [400, 404, 405, 406, 415].includes(error.status);
}

function isClosedOnProbe(error: unknown, sdk: TransportOptions["sdk"]): boolean {
  return error instanceof sdk.SdkError && error.code !== sdk.SdkErrorCode.RequestTimeout;
}

async function connect(
  transport: Transport,
  { kind, probes }: Attempt,
  use: ConnectionOptions & { timeoutMs: number; meter: ByteMeter; excess: () => ServerExcess | undefined },
) {
  const { sdk, signal, timeoutMs, meter, excess } = use;
  const changed = { autoRefresh: false, debounceMs: 100, onChanged: use.onCatalogue };
  const client = new sdk.Client(
    { name: "toolwright", version: "1" },
    {
      versionNegotiation: {
        mode: probes ? "auto" : "legacy",
        probe: { timeoutMs: kind === "stdio" ? Math.min(maxProbeMs, Math.ceil(timeoutMs / 2)) : timeoutMs },
      },
      // The SDK's validator would compile a server's schema into code; results are checked in the tool maker instead.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      capabilities: { elicitation: { form: {} } },
      inputRequired: { autoFulfill: false },
      listMaxPages: maxPages,
      listChanged: {
        tools: { ...changed, onChanged: use.onStale },
        resources: changed,
        prompts: changed,
      },
    },
  );
  const calls = createAskingCalls();
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
    answerElicitation(params, { ask: calls.current(), signal: mcpReq.signal }),
  );
  try {
    await untilDeadline({ signal, timeoutMs }, (deadline) =>
      client.connect(transport, { signal: deadline.signal, timeout: timeoutMs }),
    );
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
  client.onerror = () => kind !== "stdio" && use.onStale();
  client.onclose = () =>
    use.onClosed(excess()?.message ?? (lastWordsOf(transport) || "the connection ended"), excess());
  const { resources, prompts, completions } = client.getServerCapabilities() ?? {};
  const request = <Result extends object>(
    send: Parameters<typeof requestOfServer<Result>>[0],
    params: Parameters<typeof requestOfServer>[1],
    { onProgress, ...call }: CallUse,
  ) => {
    // The call's own signal enforces its timeout.
    const options: RequestOptions = { onprogress: onProgress, timeout: maxDelayMs };
    return calls.during(call.ask, () => requestOfServer(send, params, { ...call, options, sdk }));
  };
  return {
    /** The features that the server declares besides tools. */
    offers: { resources: resources !== undefined, prompts: prompts !== undefined },
    list: <Kind extends ListKind>(kind: Kind) => listAll(client, kind, { meter, signal }),
    callTool: (
      { outputSchema: _checkedByUs, ...toolDefinition }: Tool,
      input: Record<string, unknown>,
      call: CallUse,
    ) =>
      request<CallToolResult>(
        (params, options) => client.callTool(params as never, { ...options, toolDefinition }),
        { name: toolDefinition.name, arguments: input },
        call,
      ),
    readResource: (uri: string, call: CallUse) =>
      request<ReadResourceResult>(
        (params, options) => client.readResource(params as never, { ...options, cacheMode: "bypass" }),
        { uri },
        call,
      ),
    getPrompt: (prompt: PromptUse, call: CallUse) =>
      request<GetPromptResult>(
        (params, options) => client.getPrompt(params as never, options),
        { ...prompt },
        call,
      ),
    /** Undefined if the server completes nothing. */
    complete: async (typed: TypedArgument) => {
      if (completions === undefined) return undefined;
      return (await client.complete(typed, { signal, timeout: completionMs })).completion;
    },
    async close(): Promise<void> {
      client.onclose = undefined as never;
      await endSession(transport, sdk);
      await client.close().catch(() => {});
      // The client forgets a transport that closed by itself, but its program's child processes may still run.
      await transport.close().catch(() => {});
    },
  };
}

// A person does not wait longer for a suggestion.
const completionMs = 5_000;

/** Tells the server to end the session, and waits only briefly for its answer. */
async function endSession(transport: Transport, { StreamableHTTPClientTransport }: ClientSdk): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport) || transport.sessionId === undefined) return;
  transport.onerror = () => {};
  const goodbye = transport.terminateSession().catch(() => {});
  await Promise.race([goodbye, wait(goodbyeMs, undefined, { ref: false })]);
}

const goodbyeMs = 500;

function describeFailure(error: unknown, transport: Transport): Error {
  const unreachable = findNetworkTrouble(error);
  const message = error instanceof Error ? error.message : String(error);
  const [why = ""] = cleanText(unreachable ?? message).split("\n");
  return new Error([why, lastWordsOf(transport)].filter(Boolean).join("; "), { cause: error });
}

/** The network's own error, which libraries wrap several times over. */
export function findNetworkTrouble(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > maxCauses) return undefined;
  if ("syscall" in error && error.syscall !== undefined && depth > 0)
    return `cannot connect: ${error.message}`;
  return findNetworkTrouble(causeOf(error), depth + 1);
}

const maxCauses = 5;

function causeOf(error: Error): unknown {
  // Node.js reports one error for each address of a host, such as the two of localhost.
  if (error instanceof AggregateError) return error.errors[0];
  const data = "data" in error ? error.data : undefined;
  return error.cause ?? (isPlainObject(data) ? data.cause : undefined);
}

function lastWordsOf(transport: Transport): string {
  return "lastWords" in transport && typeof transport.lastWords === "function" ? transport.lastWords() : "";
}

interface SignInUse {
  readonly signIn?: SignIn | undefined;
  readonly signal: AbortSignal;
  readonly sdk: ClientSdk;
  readonly timeoutMs: number;
}

/** If the request failed because a person has to sign in, waits for that. True if the request should be tried again. */
async function signInIfNeeded(
  error: unknown,
  transport: Transport,
  { signIn, signal, sdk, timeoutMs }: SignInUse,
): Promise<boolean> {
  if (signIn === undefined || signal.aborted || !(error instanceof sdk.UnauthorizedError)) return false;
  const { StreamableHTTPClientTransport, SSEClientTransport } = sdk;
  const isHttp =
    transport instanceof StreamableHTTPClientTransport || transport instanceof SSEClientTransport;
  if (!isHttp) return false;
  const params = await signIn.returned(signal);
  await untilDeadline({ signal, timeoutMs }, () => transport.finishAuth(params));
  return true;
}
