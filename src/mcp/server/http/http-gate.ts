import type { IncomingMessage } from "node:http";
import type { ClientTokens } from "./client-tokens.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Which addresses a request may be for and come from. A page in a browser can reach this machine too, under whatever
 * name its owner gives it: its requests name that name in Host, or their page in Origin.
 */
export interface AllowedAddresses {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

export function allowedAddresses(
  { host, port }: { host: string; port: number },
  extraHosts: readonly string[],
): AllowedAddresses {
  const names = ["127.0.0.1", "localhost", "[::1]", hostNameOf(host)];
  const hosts = [...names.map((name) => withPort(name, port)), ...extraHosts].map((name) =>
    name.toLowerCase(),
  );
  return { hosts: new Set(hosts), origins: new Set(hosts.map((host) => `http://${host}`)) };
}

/** As it stands in an address, and in the header. All addresses at once are no name that a client could use. */
export function hostNameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Clients leave the usual port out. */
function withPort(name: string, port: number): string {
  return port === 80 ? name : `${name}:${port}`;
}

/** Looked at before anything else of the request. */
export function checkAddresses(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  { hosts, origins }: AllowedAddresses,
): Refusal | undefined {
  const { host = [], origin = [] } = headersDistinct;
  if (host.length !== 1 || !hosts.has(host[0]!.toLowerCase())) {
    return {
      status: 403,
      message: "this server does not answer to that Host; `toolwright serve --allow-host` lets it",
    };
  }
  if (origin.length > 0 && !(origin.length === 1 && origins.has(origin[0]!.toLowerCase()))) {
    return { status: 403, message: "this server takes no requests from that Origin" };
  }
}

/** Which client a request comes from, by its bearer token. */
export function authenticate(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  tokens: Pick<ClientTokens, "identify">,
): { client: string } | Refusal {
  const { authorization = [] } = headersDistinct;
  const [, token] =
    /^Bearer ([\w-]{1,200})$/i.exec(authorization.length === 1 ? authorization[0]! : "") ?? [];
  const client = token === undefined ? undefined : tokens.identify(token);
  if (client !== undefined) return { client };
  const why = token === undefined ? "a bearer token is needed" : "this bearer token is not known here";
  return {
    status: 401,
    message: `${why}; \`toolwright serve --client NAME\` prints one`,
    headers: { "WWW-Authenticate": "Bearer" },
  };
}
