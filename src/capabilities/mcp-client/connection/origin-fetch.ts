import type { FetchLike } from "@modelcontextprotocol/client";
import type { GuardedClient } from "../../../machine/web-client/index.ts";
import { addressKind } from "../../../shared/web/address-kind.ts";
import { isLocalName } from "../../../shared/web/parse-web-url.ts";
import { readWebUrl } from "../../../tool/read-web-url.ts";

export interface OriginFetchOptions {
  /** The server's own address. */
  readonly server: string;
  /** Configured for that server, and sent to its origin only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further addresses that the user has configured: where to sign in. */
  readonly configured: readonly string[];
  /** For all other addresses. */
  client(): Promise<GuardedClient>;
  readonly maxBytes: number;
}

/**
 * A `fetch` for an MCP server. The server names further addresses, by redirects and when it asks for a sign-in; of these
 * only public ones are reached, so that no server can look around in the user's network.
 */
export function createOriginFetch(options: OriginFetchOptions): FetchLike {
  const { server, headers, configured, client, maxBytes } = options;
  const own = [server, ...configured].map((address) => new URL(address));
  const { origin: home } = own[0]!;
  // Headers of the request itself count more, such as the token of a user who has signed in.
  const withConfigured = (init: RequestInit): RequestInit => {
    const all = new Headers(headers);
    for (const [name, value] of new Headers(init.headers)) all.set(name, value);
    return { ...init, headers: all };
  };
  // A server on this machine often has its sign-in on another port.
  const isOwn = ({ origin, hostname }: URL) =>
    own.some((each) => each.origin === origin || (each.hostname === hostname && isLocal(hostname)));
  const send = async (url: URL, given: RequestInit, followed: number): Promise<Response> => {
    const init = url.origin === home ? withConfigured(given) : given;
    if (!isOwn(url)) return fetchElsewhere(url, init, { client: await client(), maxBytes });
    // The SDK itself says where it wants no redirect at all.
    if (init.redirect !== undefined && init.redirect !== "follow") return fetch(url, init);
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, url);
    if (followed >= maxRedirects)
      throw new TypeError(`${url.href} was redirected more than ${maxRedirects} times`);
    const about = { status: response.status, isSameOrigin: next.origin === url.origin };
    return send(next, afterRedirect(given, about), followed + 1);
  };
  return (url, init = {}) => send(new URL(url), init, 0);
}

const maxRedirects = 5;

function isLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isLocalName(address) || ["loopback", "private"].includes(addressKind(address));
}

/** The request after a redirect, as `fetch` makes it: the method may become GET, and credentials stay with their origin. */
function afterRedirect(
  init: RequestInit,
  { status, isSameOrigin }: { status: number; isSameOrigin: boolean },
): RequestInit {
  const method = (init.method ?? "GET").toUpperCase();
  const becomesGet = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  const headers = new Headers(init.headers);
  if (!isSameOrigin) for (const name of ["authorization", "cookie", "mcp-session-id"]) headers.delete(name);
  if (!becomesGet) return { ...init, headers };
  for (const name of ["content-type", "content-length"]) headers.delete(name);
  const { body: _body, ...rest } = init;
  return { ...rest, method: "GET", headers };
}

async function fetchElsewhere(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
  { client, maxBytes }: { client: GuardedClient; maxBytes: number },
): Promise<Response> {
  const { readBody } = await import("../../../machine/web-client/read-body.ts");
  const limit = signal ?? AbortSignal.timeout(defaultTimeoutMs);
  const response = await client.open(readWebUrl(url.href), {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    body: body === undefined || body === null ? undefined : Buffer.from(String(body)),
    signal: limit,
    // The user has approved the server; only the addresses to which it leads are limited.
    admit: async () => ({ isNamed: false }),
  });
  const { bytes } = await readBody(response, { maxBytes, onOverflow: "refuse", signal: limit });
  const { status } = response;
  const isEmpty = [101, 204, 205, 304].includes(status);
  const headersOfAnswer = plainHeaders(response.headers);
  const made = new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: headersOfAnswer });
  const { href } = response.url;
  return withAddress(made, { url: href, redirected: href !== url.href });
}

/** The SDK reads a response's URL, which the constructor cannot set. */
export function withAddress(
  made: Response,
  { url, redirected }: Pick<Response, "url" | "redirected">,
): Response {
  return Object.defineProperties(made, { url: { value: url }, redirected: { value: redirected } });
}

const defaultTimeoutMs = 60_000;

/** The headers without those that described the body before it was decompressed. */
function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isOfBody = ["content-encoding", "content-length", "transfer-encoding"].includes(name);
    for (const each of isOfBody ? [] : [value ?? []].flat()) kept.append(name, each);
  }
  return kept;
}
