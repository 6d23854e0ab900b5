import type { IncomingMessage } from "node:http";
import type { ClientTokens } from "./client-tokens.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Hosts and origins that requests may have. A web page in a browser can reach this machine too, through DNS rebinding or
 * a cross-origin request; its Host or Origin header gives it away.
 */
export interface AllowedAddresses {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

export function allowedAddresses(
  { host, port }: { host: string; port: number },
  extraHosts: readonly string[],
): AllowedAddresses {
  // Clients omit the default port.
  const end = port === 80 ? "" : `:${port}`;
  const names = ["127.0.0.1", "localhost", "[::1]", hostNameOf(host)].map((name) => `${name}${end}`);
  const hosts = [...names, ...extraHosts].map((name) => name.toLowerCase());
  return { hosts: new Set(hosts), origins: new Set(hosts.map((host) => `http://${host}`)) };
}

/** The host as in a URL and in the Host header. A wildcard address becomes one that a client can use. */
export function hostNameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Checked before anything else in the request. */
export function checkAddresses(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  { hosts, origins }: AllowedAddresses,
): Refusal | undefined {
  const { host = [], origin = [] } = headersDistinct;
  if (host.length !== 1 || !hosts.has(host[0]!.toLowerCase())) {
    return {
      status: 403,
      message: "this Host is not allowed; allow it with `toolwright serve --allow-host`",
    };
  }
  if (origin.length > 0 && !(origin.length === 1 && origins.has(origin[0]!.toLowerCase()))) {
    return { status: 403, message: "requests from this Origin are not allowed" };
  }
}

/** Finds the client of a request by its bearer token. */
export function authenticate(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  tokens: Pick<ClientTokens, "identify">,
): { client: string } | Refusal {
  const { authorization = [] } = headersDistinct;
  const [, token] =
    /^Bearer ([\w-]{1,200})$/i.exec(authorization.length === 1 ? authorization[0]! : "") ?? [];
  const client = token === undefined ? undefined : tokens.identify(token);
  if (client !== undefined) return { client };
  const why = token === undefined ? "a bearer token is required" : "unknown bearer token";
  return {
    status: 401,
    message: `${why}; get one with \`toolwright serve --client NAME\``,
    headers: { "WWW-Authenticate": "Bearer" },
  };
}
