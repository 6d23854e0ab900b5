import { type Rule, RuleError } from "./rule.ts";

/**
 * Matches hosts against `domain:example.com`, which is that host alone, or `domain:*.example.com`, which is every
 * subdomain of it. `domain:*` is any host. Compares names as they are looked up: lower case, international names encoded.
 */
export function hostMatcher(pattern: string, where: string): NonNullable<Rule["matchesHost"]> {
  const domain = /^\s*domain:\s*(\S+?)\.?\s*$/i.exec(pattern)?.[1];
  const isBelow = domain?.startsWith("*.") ?? false;
  const name = domain === undefined ? undefined : lookedUpHost(isBelow ? domain.slice(2) : domain);
  if (domain !== "*" && (name === undefined || name.includes("*"))) {
    throw new RuleError(
      `${where}: ${JSON.stringify(pattern)} is not a domain; write domain:example.com, or domain:*.example.com for its subdomains`,
    );
  }
  return (host) => {
    if (domain === "*") return "yes";
    // A command that may connect to anything.
    if (host === "*") return "maybe";
    const reached = lookedUpHost(host);
    if (reached === undefined) return "maybe";
    return (isBelow ? reached.endsWith(`.${name}`) : reached === name) ? "yes" : "no";
  };
}

/** The host of an address, URL or `host:port`, as it is looked up; undefined if it is none. */
export function lookedUpHost(text: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  // Only these schemes have their hosts encoded and IPv4 addresses normalised.
  const web = url === null || /^https?:$/.test(url.protocol) ? url : URL.parse(`http://${url.host}`);
  return web?.hostname.replace(/\.$/, "") || undefined;
}
