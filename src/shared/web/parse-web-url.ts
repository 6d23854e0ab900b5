/** An address on the web in the one spelling that is judged, resolved and requested. */
export interface WebUrl {
  /** Without its fragment, which is never sent. */
  readonly href: string;
  readonly scheme: "http" | "https";
  /** In lower case and ASCII, without a final dot; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** As rules, receipts and `Host` headers name it: the host, and its port unless it is the scheme's own. */
  readonly authority: string;
  /** Path and query, as a request sends them. */
  readonly path: string;
  /** The host is an IP address. */
  readonly isAddress: boolean;
}

/** Reads an address, or says why it is refused, as the end of "the URL …". Refuses spellings that programs read differently. */
export function parseWebUrl(text: string): WebUrl | { readonly problem: string } {
  const problem = findProblem(text);
  if (problem !== undefined) return { problem };
  if (!URL.canParse(text)) return { problem: "is not a valid address" };
  const url = new URL(text);
  const host = hostOf(url);
  if (host === undefined) return { problem: `has the invalid host ${url.hostname}` };
  if (url.search.length > maxQueryCharacters) {
    return { problem: `has a query of more than ${maxQueryCharacters} characters` };
  }
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port === "" ? defaultPorts[scheme] : Number(url.port);
  if (badPorts.has(port)) return { problem: `names port ${port}, which is not a port of web servers` };
  const authority = authorityOf({ scheme, host, port });
  const path = `${url.pathname}${url.search}`;
  return {
    href: `${scheme}://${authority}${path}`,
    scheme,
    host,
    port,
    authority,
    path,
    isAddress: isAddress(host),
  };
}

/** Finds a mistake in the text, before a parser tidies it up. */
function findProblem(text: string): string | undefined {
  if (text.length > maxCharacters) return `has more than ${maxCharacters} characters`;
  // Parsers remove some of these silently.
  if (/[\u0000-\u0020\u007f-\u00a0\\\p{Cf}\p{Z}]/u.test(text)) {
    return "contains a space, a backslash or an invisible character; percent-encode it";
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return "has no scheme; begin it with https://";
  if (scheme !== "http" && scheme !== "https")
    return `has the scheme ${scheme}; only http and https are allowed`;
  const authority = /^[^:]+:\/\/([^/?#]+)/.exec(text)?.[1];
  if (authority === undefined) return "names no host";
  if (authority.includes("@")) return "contains a user name or password; leave them out";
  if (authority.includes("%")) return "has a percent-encoded host; write it plainly";
  return undefined;
}

const maxCharacters = 4096;

// A query can carry data out; no page needs a longer one.
const maxQueryCharacters = 2048;

function hostOf({ hostname }: URL): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  const host = hostname.replace(/\.$/, "");
  const isName =
    host.length <= 253 && host.split(".").every((label) => label.length > 0 && label.length <= 63);
  return isName ? host : undefined;
}

/**
 * Tells addresses from names, in hosts as `new URL` writes them: it turns every spelling of an IPv4 address into four
 * numbers.
 */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(?:\.\d+){3}$/.test(host);
}

/** The host, and its port unless it is the scheme's own. */
export function authorityOf({ scheme, host, port }: Pick<WebUrl, "scheme" | "host" | "port">): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === defaultPorts[scheme] ? name : `${name}:${port}`;
}

const defaultPorts = { http: 80, https: 443 };

/** Whether a name always means this machine. */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

// The Fetch standard's list: other protocols' servers could misread a request.
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
