import { type Rule, RuleError, type Rules } from "../rules/rule.ts";

/**
 * Matches hosts against `domain:example.com`, which is that host alone, or `domain:*.example.com`, which is every
 * subdomain of it. `domain:*` is any host. With a port, as in `domain:localhost:3000`, only that port. Compares names as
 * they are looked up: lower case, international names encoded.
 */
export function hostMatcher(pattern: string, where: string): NonNullable<Rule["matchesHost"]> {
  const domain = /^\s*domain:\s*(\S+?)\.?\s*$/i.exec(pattern)?.[1];
  const isBelow = domain?.startsWith("*.") ?? false;
  const named = domain === undefined ? undefined : readHost(isBelow ? domain.slice(2) : domain);
  if (domain !== "*" && (named === undefined || named.name.includes("*"))) {
    throw new RuleError(
      `${where}: ${JSON.stringify(pattern)} is not a domain; write domain:example.com, or domain:*.example.com for its subdomains`,
    );
  }
  // The scheme's own port is not written, whichever scheme it is.
  const hasPort = /:\d+$/.test(domain ?? "");
  return (host) => {
    if (domain === "*") return "yes";
    // The host of a command that may connect to anything.
    if (host === "*") return "maybe";
    const reached = readHost(host);
    if (reached === undefined || named === undefined) return "maybe";
    if (hasPort && reached.port !== named.port) return "no";
    const { name } = reached;
    return (isBelow ? name.endsWith(`.${named.name}`) : name === named.name) ? "yes" : "no";
  };
}

interface NamedHost {
  /** As it is looked up: lower case, international names encoded, IPv6 addresses in brackets. */
  readonly name: string;
  /** Undefined for 80 and 443, the usual ports. */
  readonly port: string | undefined;
}

/** The host of an address, URL or `host:port`; undefined for any other text. */
export function readHost(text: string): NamedHost | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  // Only these schemes have their hosts encoded and IPv4 addresses normalised.
  const web = url === null || /^https?:$/.test(url.protocol) ? url : URL.parse(`http://${url.host}`);
  const name = web?.hostname.replace(/\.$/, "");
  if (web === null || !name) return undefined;
  return { name, port: ["", "80", "443"].includes(web.port) ? undefined : web.port };
}

/** Whether the user has written a rule for this very host that does not deny it. */
export function isNamedByRule(host: string, { allow, ask }: Rules): boolean {
  return [...allow, ...ask].some(
    ({ isOneHost, matchesHost }) => isOneHost === true && matchesHost?.(host) === "yes",
  );
}

/** A place that something is sent to. */
export interface SecretTarget {
  /** With its port, if it is not the usual one. */
  readonly host: string;
  /** The connection cannot be read on the way, and the host has to prove who it is. */
  readonly isEncrypted: boolean;
}

/**
 * Whether a secret for these hosts may be sent somewhere. Hosts are written as in rules, such as `api.example.com` or
 * `*.example.com`, and reached with encryption only; `http://localhost:8080` is also reached without.
 */
export function createSecretHostTest(
  hosts: readonly string[],
  where: string,
): (target: SecretTarget) => boolean {
  const known = hosts.map((written) => {
    const [, scheme = "https", domain] = /^(?:(https?):\/\/)?([^\s/?#@]+)$/i.exec(written) ?? [];
    if (domain === undefined)
      throw new TypeError(
        `${where}: ${JSON.stringify(written)} is not a host; write api.example.com, *.example.com or http://localhost:8080`,
      );
    const matches = hostMatcher(`domain:${domain}`, where);
    return ({ host, isEncrypted }: SecretTarget) =>
      (isEncrypted || scheme.toLowerCase() === "http") && matches(host) === "yes";
  });
  return (target) => known.some((matches) => matches(target));
}
