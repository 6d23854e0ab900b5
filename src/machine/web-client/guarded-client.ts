import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import { defined } from "../../shared/options/defined.ts";
import { type AddressKind, addressKind } from "../../shared/web/address-kind.ts";
import { isLocalName, parseWebUrl, type WebUrl } from "../../shared/web/parse-web-url.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { connect, type Dial, dialDirectly } from "./connect.ts";
import { describeWebFailure } from "./describe-web-failure.ts";
import { readProxy, type WebProxy } from "./read-proxy.ts";
import { type Lookup, lookUpBySystem, resolveHost } from "./resolve-host.ts";

export type GuardedClient = ReturnType<typeof createGuardedClient>;

export interface GuardedClientOptions {
  readonly lookup?: Lookup | undefined;
  /** Origins of the user's own configuration: their hosts may have any address. */
  readonly origins?: readonly string[] | undefined;
  readonly proxy?: string | false | undefined;
  readonly proxyResolves?: boolean | undefined;
  readonly ca?: readonly string[] | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  readonly dial?: Dial | undefined;
}

interface GuardedRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Ends everything: looking up the name, connecting, and reading the response. */
  readonly signal: AbortSignal;
  /** Called for every host before anything is sent there, including its name's lookup. Throws to refuse it. */
  admit(url: WebUrl): Promise<Admission>;
}

interface Admission {
  /** A rule of the user names this very host, so it may be on this machine or in a private network. */
  readonly isNamed: boolean;
}

export interface OpenResponse extends Exchange {
  /** Where the response came from, after redirects. */
  readonly url: WebUrl;
  /** A redirect that was not followed, because it leads to another host or is not an answer to GET. */
  readonly redirect?: string;
  /** All its addresses are public, so it is not a development server. */
  readonly isPublic: boolean;
  /** Through a proxy, which may also have looked up the name, so that the address was not checked. */
  readonly route: "direct" | "proxy" | "proxy-resolved";
}

const maxRedirects = 5;

/**
 * Makes requests whose address a model may have chosen. Only hosts that the user has named may be in private networks.
 */
export function createGuardedClient(options: GuardedClientOptions = {}) {
  const { lookup = lookUpBySystem, proxyResolves = false, ca, dial = dialDirectly } = options;
  const findProxy = createProxyFinder(options.proxy, options.environment ?? process.env);
  const configured = new Set((options.origins ?? []).map(originOf));

  const resolve = (url: WebUrl, { isNamed }: Admission, signal: AbortSignal) => {
    const mayReach = (kind: AddressKind) =>
      kind === "public" ||
      configured.has(originOf(url.href)) ||
      // A rule on any other name was not written with its addresses in mind; the name's owner chooses those.
      (isNamed && (url.isAddress || isLocalName(url.host)) && (kind === "loopback" || kind === "private"));
    return resolveHost(url, { lookup, signal, mayReach });
  };

  const sendOnce = async (url: WebUrl, request: GuardedRequest): Promise<OpenResponse> => {
    const proxy = findProxy(url);
    const { signal } = request;
    const admission = await request.admit(url);
    const isBlind = proxy !== undefined && proxyResolves && !url.isAddress;
    try {
      const addresses = isBlind ? undefined : await resolve(url, admission, signal);
      const socket = await connect(url, { addresses, proxy, ca, dial, signal });
      const response = await exchange(url, socket, request);
      const route = proxy === undefined ? "direct" : isBlind ? "proxy-resolved" : "proxy";
      const isPublic = addresses?.every((address) => addressKind(address) === "public") ?? false;
      return { ...response, url, route, isPublic };
    } catch (error) {
      throw describeWebFailure(error, url, { proxy, signal });
    }
  };

  const open = async (url: WebUrl, request: GuardedRequest, followed = 0): Promise<OpenResponse> => {
    const response = await sendOnce(url, request);
    const location = locationOf(response);
    if (location === undefined) return response;
    const next = readLocation(location, url);
    const { method = "GET" } = request;
    const isFollowed = (method === "GET" || method === "HEAD") && isSameHost(url, next);
    if (!isFollowed) {
      // The caller is told where to go next only if it may go there at all, as far as the address itself shows: looking
      // up a name would tell its owner something, and that is not allowed yet.
      try {
        const isPlain = next.isAddress || isLocalName(next.host);
        if (isPlain && !isSameHost(url, next)) await resolve(next, { isNamed: false }, request.signal);
      } catch (error) {
        response.close();
        throw describeWebFailure(error, next, { signal: request.signal });
      }
      return { ...response, redirect: next.href };
    }
    response.close();
    if (followed >= maxRedirects) throw tooManyRedirects(url);
    return open(next, request, followed + 1);
  };
  return {
    /** Sends a request and follows redirects within the host. The caller reads the body, or closes the response. */
    open: (url: WebUrl, request: GuardedRequest) => open(url, request),
  };
}

/** Gives the origin of an address that has none of the problems of addresses that models write. */
function originOf(address: string): string {
  return new URL(address).origin;
}

function locationOf({ status, headers }: Exchange): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers.location : undefined;
}

function readLocation(location: string, from: WebUrl): WebUrl {
  const address = URL.canParse(location, from.href) ? new URL(location, from.href).href : location;
  const url = parseWebUrl(address);
  if (!("problem" in url)) return url;
  throw new ToolError("permission-denied", `${from.href} redirects to an address that ${url.problem}`);
}

/** Whether a redirect stays on its host; it may change from http to https, on their usual ports. */
function isSameHost(from: WebUrl, to: WebUrl): boolean {
  if (from.authority !== to.authority) return false;
  return from.scheme === to.scheme || to.scheme === "https";
}

function tooManyRedirects({ href }: WebUrl): ToolError {
  return new ToolError("unavailable", `${href} was redirected more than ${maxRedirects} times`, {
    hint: "The site may want cookies, or be set up wrongly. Use another page.",
  });
}

/** The proxy for each address: the given one, or those of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. */
export function createProxyFinder(
  given: string | false | undefined,
  environment: NodeJS.ProcessEnv,
): (url: WebUrl) => WebProxy | undefined {
  if (given === false) return () => undefined;
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const addressFor = (scheme: WebUrl["scheme"]) =>
    given ?? read(scheme === "https" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? read("ALL_PROXY");
  const isExempt = readExemptions(given === undefined ? (read("NO_PROXY") ?? "") : "");
  return (url) => {
    const address = addressFor(url.scheme);
    // A proxy has its own idea of which machine `localhost` is.
    if (address === undefined || isLocalName(url.host) || isLoopback(url.host) || isExempt(url))
      return undefined;
    return readProxy(address);
  };
}

function isLoopback(host: string): boolean {
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** `*`, names with their subdomains, addresses and ranges of them; each with an optional port. */
function readExemptions(list: string): (url: WebUrl) => boolean {
  const entries = list.split(/[\s,]+/).filter(Boolean);
  const tests = entries.map((entry) => readExemption(entry.toLowerCase()));
  return (url) => tests.some((test) => test(url));
}

function readExemption(entry: string): (url: WebUrl) => boolean {
  if (entry === "*") return () => true;
  const [, network = "", bits] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (isIP(network) !== 0) return inRange(network, Number(bits));
  const [, name = entry, port] = isIP(entry) === 6 ? [] : (/^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry) ?? []);
  const suffix = name.replace(/^\*?\./, "").replace(/\.$/, "");
  return (url) =>
    (url.host === suffix || (!url.isAddress && url.host.endsWith(`.${suffix}`))) &&
    (port === undefined || Number(port) === url.port);
}

function inRange(network: string, bits: number): (url: WebUrl) => boolean {
  const family = isIP(network) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  try {
    list.addSubnet(network, bits, family);
  } catch {
    return () => false;
  }
  return ({ host, isAddress }) => isAddress && list.check(host, isIP(host) === 6 ? "ipv6" : "ipv4");
}

interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, possibly compressed. */
  readonly body: IncomingMessage;
  close(): void;
}

/** Sends one request on a connection and waits for the head of the response. */
function exchange(
  url: WebUrl,
  socket: Socket,
  { method = "GET", headers, body, signal }: GuardedRequest,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const asking = request({
      method,
      path: url.path,
      headers: {
        host: url.authority,
        ...headers,
        ...defined({ "content-length": body && String(body.length) }),
      },
      createConnection: () => socket,
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
    });
    asking.maxHeadersCount = maxHeaders;
    let informed = 0;
    asking.on("information", () => {
      informed += 1;
      if (informed > maxInformation) asking.destroy(new Error("the server sends only interim responses"));
    });
    asking.on("response", (response) => {
      // A failure from here on is the body's, and the reader of the body gets it.
      response.on("error", () => {});
      const close = () => {
        response.destroy();
        socket.destroy();
      };
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response, close });
    });
    asking.on("error", (error) => {
      socket.destroy();
      reject(signal.aborted ? signal.reason : error);
    });
    asking.on("upgrade", (_response, upgraded) => {
      upgraded.destroy();
      reject(new Error("the server switched to another protocol"));
    });
    asking.end(body);
  });
}

const maxHeaderBytes = 32 * 1024;
const maxHeaders = 200;
const maxInformation = 10;
