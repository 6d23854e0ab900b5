import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { createHash, randomBytes, sha256 } from "../../../shared/crypto.ts";
import { DeadlineReached } from "../../../shared/deadline.ts";
import { writeAside } from "../../../shared/files/write-aside.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";
import { answerRequests } from "../../../shared/web/answer-requests.ts";
import { limitConnections } from "../../../shared/web/limit-connections.ts";
import { untilDeadline } from "../connection/until-deadline.ts";
import type { SignInOptions } from "../server-options.ts";

export type SignIn = Awaited<ReturnType<typeof openSignIn>>;

export interface SignInUse {
  readonly server: string;
  readonly url: string;
  /** Where credentials are stored. */
  readonly folder: string;
  /** Called with the URL that a person has to open; nothing opens it automatically. */
  readonly onAsk: (url: URL) => void;
}

/** Lets a person sign in to a server with a browser, and stores the credentials. */
export async function openSignIn(options: SignInOptions, use: SignInUse) {
  const file = credentialFileOf(use.folder, use.server, use.url);
  const inLine = createLock();
  let credentials = await readCredentials(file);
  let expectedState = "";
  let verifiers: readonly string[] = [];
  let verifier = "";
  let askedFor: string | undefined;
  let asks: readonly number[] = [];
  let discovery: OAuthDiscoveryState | undefined;
  let arrival: Promise<URLSearchParams> | undefined;

  // The only check that the redirect belongs to our own request.
  const isExpected = (params: URLSearchParams) =>
    expectedState !== "" && params.get("state") === expectedState;
  const entrance = await listenForRedirect(options.port ?? credentials.port ?? 0, isExpected);
  // Our registration has another redirect URL, where nothing listens any more.
  if (credentials.port !== undefined && credentials.port !== entrance.port) credentials = noCredentials;

  const keep = (change: Partial<Credentials>) => {
    credentials = { ...credentials, ...change, port: entrance.port };
    return inLine(() => writeCredentials(file, credentials));
  };
  const put = <Value>(entries: readonly (readonly [string, Value])[], issuer: string, value: Value) => [
    ...entries.filter(([known]) => known !== issuer),
    [issuer, value] as const,
  ];
  const given = givenClient(options);

  const provider: OAuthClientProvider = {
    redirectUrl: entrance.address,
    ...defined({ clientMetadataUrl: options.clientMetadataUrl }),
    clientMetadata: {
      client_name: "Toolwright",
      redirect_uris: [entrance.address],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...defined({ scope: options.scope }),
    },
    state() {
      expectedState ||= randomBytes(32).toString("base64url");
      return expectedState;
    },
    clientInformation(context) {
      refuseOtherIssuer(options.issuer, context?.issuer);
      return given ?? findFor(credentials.clients, context?.issuer);
    },
    saveClientInformation: (client, context) =>
      keep({ clients: put(credentials.clients, context?.issuer ?? "", client) }),
    tokens: (context) => findFor(credentials.tokens, context?.issuer),
    saveTokens(tokens, context) {
      // Discovered again next time: a server may move to another authorization server.
      discovery = undefined;
      return keep({ tokens: put(credentials.tokens, context?.issuer ?? "", tokens) });
    },
    redirectToAuthorization(url) {
      refuseUnsafe(url);
      // Several requests may be refused at once; the person is asked once for all of them.
      if (askedFor === purposeOf(url)) return;
      asks = [...asks.filter((time) => time > performance.now() - askWindowMs), performance.now()];
      if (asks.length > maxAsks) throw new Error("the server keeps asking for a new sign-in");
      askedFor = purposeOf(url);
      // An earlier redirect may have cleared the state since this URL was made.
      expectedState = url.searchParams.get("state") ?? expectedState;
      verifier = verifiers.find((each) => challengeOf(each) === url.searchParams.get("code_challenge")) ?? "";
      // A browser that is already signed in may redirect before our own request has failed.
      arrival = entrance.returned();
      use.onAsk(url);
      options.open?.(url);
    },
    saveCodeVerifier(value) {
      verifiers = [...verifiers, value].slice(-maxVerifiers);
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      refuseOtherOrigin(use.url, state.resourceMetadataUrl);
      discovery = state;
    },
    discoveryState: () => discovery,
    invalidateCredentials(scope) {
      if (scope === "verifier" || scope === "all") verifier = "";
      if (scope === "discovery" || scope === "all") discovery = undefined;
      if (scope === "verifier" || scope === "discovery") return;
      return keep(scope === "tokens" ? { tokens: [] } : { tokens: [], clients: [] });
    },
  };
  return {
    provider,
    /** Waits for the browser's redirect and returns its query. */
    async returned(signal: AbortSignal): Promise<URLSearchParams> {
      try {
        return await untilDeadline({ signal, timeoutMs: maxWaitMs }, () => arrival ?? entrance.returned());
      } catch (error) {
        discovery = undefined;
        throw error instanceof DeadlineReached ? new Error("the person did not sign in in time") : error;
      } finally {
        expectedState = "";
        askedFor = undefined;
      }
    },
    close: entrance.close,
  };
}

/** Where the person is asked to sign in, and for which scope. */
function purposeOf({ origin, pathname, searchParams }: URL): string {
  return `${origin}${pathname} ${searchParams.get("scope") ?? ""}`;
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function givenClient({ clientId, clientSecret, issuer }: SignInOptions) {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...defined({ client_secret: clientSecret, issuer }) };
}

/** Refuses the issuer that a server names for its tokens, if the user has configured another one. */
function refuseOtherIssuer(configured: string | undefined, named: string | undefined): void {
  if (configured === undefined || named === undefined) return;
  if (URL.parse(configured)?.href === URL.parse(named)?.href) return;
  throw new Error(`the server wants a sign-in at ${named}, but ${configured} is configured as issuer`);
}

/** Refuses a description of the server's sign-in that is not at the server's own origin. */
function refuseOtherOrigin(server: string, metadata: string | undefined): void {
  if (metadata === undefined || URL.parse(metadata)?.origin === URL.parse(server)?.origin) return;
  throw new Error(`the server says that ${metadata} describes its sign-in, which is not at its own origin`);
}

/** Finds the entry of an issuer; without an issuer, it is the entry that was saved last. */
function findFor<Value>(
  entries: readonly (readonly [issuer: string, Value])[],
  issuer: string | undefined,
): Value | undefined {
  return issuer === undefined ? entries.at(-1)?.[1] : entries.find(([known]) => known === issuer)?.[1];
}

/** The URL comes from the server; with other protocols, a browser or a shell might do more than show a page. */
function refuseUnsafe({ protocol, hostname }: URL): void {
  const isLocal = hostname === "127.0.0.1" || hostname === "localhost" || hostname === "[::1]";
  if (protocol === "https:" || (protocol === "http:" && isLocal)) return;
  throw new Error(`the server asks for sign-in at a ${protocol} URL, which is not safe`);
}

const maxVerifiers = 20;
const maxAsks = 3;
const askWindowMs = 5 * 60_000;
const maxWaitMs = 10 * 60_000;

/** Credentials from a server's authorization servers, by issuer; tokens are sent to no other. */
interface Credentials {
  readonly clients: readonly (readonly [issuer: string, StoredOAuthClientInformation])[];
  readonly tokens: readonly (readonly [issuer: string, StoredOAuthTokens])[];
  /** Port of the redirect URL that we registered with. */
  readonly port?: number;
}

export const noCredentials: Credentials = { clients: [], tokens: [] };

/** One file per server and URL. */
function credentialFileOf(folder: string, server: string, url: string): string {
  return join(folder, `${sha256(`${server}\0${url}`)}.json`);
}

/** A file that cannot be read counts as empty: the person signs in again. */
async function readCredentials(file: string): Promise<Credentials> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isPlainObject(content) || !Array.isArray(content.clients) || !Array.isArray(content.tokens)) {
      return noCredentials;
    }
    return content as unknown as Credentials;
  } catch {
    return noCredentials;
  }
}

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await writeAside(file, JSON.stringify(credentials));
}

/** Opens the local server that the browser is redirected to after sign-in. */
async function listenForRedirect(port: number, isExpected: (params: URLSearchParams) => boolean) {
  let next = Promise.withResolvers<URLSearchParams>();
  const http = await listen(port).catch(() => listen(0));
  const handle = ({ method, url = "/" }: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.setHeader("content-type", "text/plain; charset=utf-8");
    // Any program and any web page on this machine can send something here.
    const asked = URL.parse(url, "http://localhost");
    if (method !== "GET" || asked?.pathname !== path) outgoing.writeHead(404).end("Not found.\n");
    else if (!isExpected(asked.searchParams))
      outgoing.writeHead(400).end("No sign-in is waiting for this page.\n");
    else {
      outgoing.end("You are signed in. You can close this page.\n");
      next.resolve(asked.searchParams);
      next = Promise.withResolvers();
    }
  };
  answerRequests(http, handle, {
    onError: () => {},
    refuse: (outgoing) => outgoing.writeHead(400).end("This request could not be read.\n"),
  });
  http.unref();
  const { port: taken } = http.address() as AddressInfo;
  return {
    port: taken,
    address: `http://127.0.0.1:${taken}${path}`,
    /** The query of the next expected redirect. */
    returned: () => next.promise,
    close(): void {
      http.close();
      http.closeAllConnections();
    },
  };
}

const path = "/callback";

async function listen(port: number): Promise<Server> {
  const http = createServer({
    headersTimeout: 5000,
    requestTimeout: 5000,
    connectionsCheckingInterval: 1000,
  });
  limitConnections(http, { maxStrangers: 100, maxPerPeer: 100 });
  http.listen({ host: "127.0.0.1", port });
  await once(http, "listening");
  return http;
}
