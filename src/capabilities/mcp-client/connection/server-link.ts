import type { Tool } from "@modelcontextprotocol/client";
import { createLock } from "../../../shared/lock.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { McpServerOptions } from "../server-options.ts";
import { answerLostCode } from "./bounded-fetch.ts";
import type { TransportOptions } from "./create-transport.ts";
import { ServerExcess } from "./limit-requests.ts";
import type { ClientSdk } from "./load-client-sdk.ts";
import { type Connection, openConnection, type ServerOffers } from "./open-connection.ts";

type LinkState =
  | { readonly status: "connecting" }
  | { readonly status: "running" }
  | {
      readonly status: "unavailable";
      readonly reason: string;
      readonly next: "retry" | "sign-in" | "nothing";
    }
  | { readonly status: "closed" };

type Requests = Pick<Connection, "callTool" | "readResource" | "getPrompt" | "complete" | "list">;

export type ServerLink = ReturnType<typeof createServerLink>;

export interface LinkOptions extends TransportOptions {
  /** Called before the server counts as running, and whenever its tools change. */
  readonly onTools: (tools: readonly Tool[], offers: ServerOffers) => Promise<void>;
  readonly onCatalogue: () => void;
  readonly onState: () => void;
}

/** The connection to one server, reopened whenever it breaks. It survives a list that cannot be used. */
export function createServerLink(name: string, options: McpServerOptions, use: LinkOptions) {
  let state: LinkState = { status: "connecting" };
  let connection: Connection | undefined;
  /** The connection that the server was last running with. */
  let used: { readonly connection: Connection; readonly sinceMs: number } | undefined;
  let attempt: Promise<void> = Promise.resolve();
  let gone: Promise<void> = Promise.resolve();
  let isSigningIn = false;
  const ending = new AbortController();
  const { signal } = ending;
  const retries = createRetries(() => gone.then(start));

  const enter = (next: LinkState) => {
    if (state.status === "closed") return;
    state = next;
    use.onState();
  };
  const connect = async () => {
    if (state.status === "closed") return;
    retries.stop();
    enter({ status: "connecting" });
    let opened: Connection | undefined;
    try {
      opened = await openConnection(options, {
        ...use,
        signal,
        onStale: refresh,
        onClosed: (reason, excess) => lose(opened, reason, { mayRetry: excess === undefined }),
      });
      connection = opened;
      await use.onTools(await listSignedIn(opened), opened.offers);
      if (connection !== opened) return;
      used = { connection: opened, sinceMs: performance.now() };
      enter({ status: "running" });
    } catch (error) {
      if (connection === opened) fail(messageOf(error), { mayRetry: !(error instanceof ServerExcess) });
    }
  };
  const start = () => {
    attempt = connect();
    return attempt;
  };
  const lose = (lost: Connection | undefined, reason: string, { mayRetry = true } = {}) => {
    if (lost === undefined || lost !== connection) return;
    const ranMs = state.status === "running" && used ? performance.now() - used.sinceMs : 0;
    if (ranMs > steadyMs) retries.forgive();
    fail(reason, { mayRetry });
  };
  const fail = (reason: string, { mayRetry }: { mayRetry: boolean }) => {
    gone = connection?.close() ?? Promise.resolve();
    connection = undefined;
    if (state.status === "closed") return;
    enter({ status: "unavailable", reason, next: retries.plan(mayRetry) ? "retry" : "nothing" });
  };
  /** Lists the tools again. */
  const refresh = shareRequests(async () => {
    const current = connection;
    if (current === undefined || state.status !== "running") return;
    try {
      await use.onTools(await current.list("tools"), current.offers);
    } catch (error) {
      if (!isSigningIn && isConnectionTrouble(error, use.sdk)) lose(current, messageOf(error));
    }
  });
  /** Keeps a connection that was in use while a person signs in again. */
  const signInAgain = async () => {
    const current = connection;
    if (current === undefined || current !== used?.connection || isSigningIn) return;
    isSigningIn = true;
    try {
      const refusal = new use.sdk.UnauthorizedError();
      if (!(await current.signInIfNeeded(refusal))) throw refusal;
      if (current !== connection) return;
      enter({ status: "running" });
      refresh();
    } catch (error) {
      lose(current, messageOf(error));
    } finally {
      isSigningIn = false;
    }
  };
  /** Says why a call cannot be made now. Also starts a new attempt if the link had given up. */
  const refuse = () => {
    const refusal = unavailable(name, state);
    if (state.status === "unavailable" && state.next === "nothing") void start();
    return refusal;
  };

  const running = () => {
    if (connection === undefined || state.status !== "running") throw refuse();
    return connection;
  };

  return {
    state: () => state,
    /** Resolves when the first attempt has succeeded or failed. */
    start,
    refuse,
    /** Makes the link unavailable, with this reason, until a person has signed in. */
    waitForPerson(reason: string): void {
      enter({ status: "unavailable", reason, next: "sign-in" });
      void signInAgain();
    },
    ...requestsOver(name, { running, state: () => state, sdk: use.sdk, signal, signInAgain, refresh }),
    async close(): Promise<void> {
      state = { status: "closed" };
      retries.stop();
      ending.abort(new Error("the runtime was closed"));
      await attempt;
      const last = connection;
      connection = undefined;
      await Promise.all([gone, last?.close()]);
    },
  };
}

/** Decides after a failure whether and when to try again. */
function createRetries(tryAgain: () => Promise<void>) {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Counts a failure. False if there will be no new attempt. */
    plan(mayRetry: boolean): boolean {
      failures += 1;
      if (!mayRetry || failures >= maxFailures) return false;
      timer = setTimeout(() => void tryAgain(), backoffMs(failures)).unref();
      return true;
    },
    forgive() {
      failures = 0;
    },
    stop: () => clearTimeout(timer),
  };
}

/** Does the work once for all requests that come before it starts, and once more for those that come later. */
function shareRequests(work: () => Promise<void>): () => void {
  const inLine = createLock();
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    void inLine(() => {
      isDue = false;
      return work();
    });
  };
}

interface RequestsUse {
  /** The running connection. Throws if there is none. */
  running(): Connection;
  state(): LinkState;
  readonly sdk: ClientSdk;
  /** Aborted when the link is closed. */
  readonly signal: AbortSignal;
  signInAgain(): Promise<void>;
  refresh(): void;
}

/** Requests to the server. A connection that fails during one is looked at again. */
function requestsOver(name: string, link: RequestsUse): Requests {
  const { running, state, sdk, signInAgain, refresh } = link;
  const request = async <Result>(send: (current: Connection) => Promise<Result>, signal: AbortSignal) => {
    const current = running();
    try {
      return await send(current);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof sdk.UnauthorizedError) {
        void signInAgain();
        // The call was refused before it had any effect, so it may be retried.
        throw unavailable(name, state());
      }
      if (error instanceof ToolError || !isConnectionTrouble(error, sdk)) throw failed(error);
      refresh();
      throw lostDuringCall(name, error);
    }
  };
  return {
    callTool: (tool, input, use) => request((current) => current.callTool(tool, input, use), use.signal),
    readResource: (uri, use) => request((current) => current.readResource(uri, use), use.signal),
    getPrompt: (prompt, use) => request((current) => current.getPrompt(prompt, use), use.signal),
    complete: (typed) => request((current) => current.complete(typed), link.signal),
    async list(kind) {
      try {
        return await running().list(kind);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

function failed(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError("tool-failed", messageOf(error), { cause: error });
}

/** Lists the tools after a person has signed in, since some servers accept any connection and require sign-in only for this. */
async function listSignedIn(connection: Connection): Promise<readonly Tool[]> {
  for (;;) {
    try {
      return await connection.list("tools");
    } catch (error) {
      if (!(await connection.signInIfNeeded(error))) throw error;
    }
  }
}

// A server that ran this long did not fail to start.
const steadyMs = 30_000;

/** Delay before the next attempt: doubled each time, up to a minute, with jitter. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(longest * (0.5 + random() / 2));
}

/** After this many failures in a row, a server is left alone until a call needs it. */
const maxFailures = 10;

const firstRetryMs = 500;
const maxRetryMs = 60_000;

/** Whether the error concerns the connection and not only one request. */
function isConnectionTrouble(error: unknown, { ProtocolError, SdkError, SdkErrorCode }: ClientSdk): boolean {
  if (error instanceof ProtocolError) return error.code === answerLostCode;
  if (!(error instanceof SdkError)) return true;
  const { NotConnected, ConnectionClosed, SendFailed, RequestTimeout } = SdkErrorCode;
  const troubles: readonly string[] = [NotConnected, ConnectionClosed, SendFailed, RequestTimeout];
  return troubles.includes(error.code) || error.code.startsWith("CLIENT_HTTP");
}

function unavailable(name: string, state: LinkState): ToolError {
  if (state.status === "closed") return new ToolError("unavailable", `the MCP server ${name} was closed`);
  const reason = state.status === "unavailable" ? state.reason : reasons[state.status];
  return new ToolError("unavailable", `the MCP server ${name} is not available: ${reason}`, {
    hint: "Toolwright keeps reconnecting in the background. Continue with something else and try again later.",
    retryable: true,
  });
}

const reasons = {
  connecting: "it is still connecting",
  running: "it no longer accepts our credentials",
} as const;

function lostDuringCall(name: string, cause: unknown): ToolError {
  const message = `the connection to the MCP server ${name} was lost during the call: ${messageOf(cause)}`;
  return new ToolError("unavailable", message, {
    hint: "The call may have taken effect. Check before you repeat it.",
    cause,
  });
}

function messageOf(error: unknown): string {
  return cleanText(describeThrown(error)).slice(0, maxMessageCharacters);
}

const maxMessageCharacters = 2000;
