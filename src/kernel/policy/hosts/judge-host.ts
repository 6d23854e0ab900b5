import { type AddressKind, addressKind, describeKind } from "../../../shared/web/address-kind.ts";
import { isLocalName } from "../../../shared/web/parse-web-url.ts";
import type { Floor } from "../paths/judge-path.ts";
import type { Rules } from "../rules/rule.ts";
import { isNamedByRule, readHost } from "./host-matcher.ts";

/**
 * The floor's verdict on a host of the web: this machine and private networks are denied unless the user has named the
 * host. Other names are judged when they are looked up.
 */
export function judgeHost(
  host: string,
  { rules, isOwnHost }: { rules: Rules; isOwnHost: (host: string) => boolean },
): Floor | undefined {
  const name = readHost(host)?.name.replace(/^\[(.*)\]$/, "$1") ?? "";
  const kind = kindOf(name);
  if (kind === "public" || isOwnHost(host)) return undefined;
  if ((kind === "loopback" || kind === "private") && isNamedByRule(host, rules)) return undefined;
  return { decision: "deny", reason: `${host} is ${describeKind(kind)}` };
}

function kindOf(name: string): AddressKind {
  if (isLocalName(name)) return "loopback";
  const isAddress = name.includes(":") || /^\d+(?:\.\d+){3}$/.test(name);
  return isAddress ? addressKind(name) : "public";
}
