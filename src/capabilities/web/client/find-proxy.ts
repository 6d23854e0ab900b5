import { BlockList, isIP } from "node:net";
import { isLocalName, type WebUrl } from "../../../shared/web/parse-web-url.ts";
import { readProxy, type WebProxy } from "./read-proxy.ts";

export type FindProxy = (url: WebUrl) => WebProxy | undefined;

/** The proxy for each address: the given one, or those of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. */
export function createProxyFinder(
  given: string | false | undefined,
  environment: NodeJS.ProcessEnv,
): FindProxy {
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
