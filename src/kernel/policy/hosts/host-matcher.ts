import { type Rule, RuleError } from "../rules/rule.ts";
import { readHost } from "./read-host.ts";

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
    // A command that may connect to anything.
    if (host === "*") return "maybe";
    const reached = readHost(host);
    if (reached === undefined || named === undefined) return "maybe";
    if (hasPort && reached.port !== named.port) return "no";
    const { name } = reached;
    return (isBelow ? name.endsWith(`.${named.name}`) : name === named.name) ? "yes" : "no";
  };
}
