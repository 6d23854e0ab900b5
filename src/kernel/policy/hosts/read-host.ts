export interface NamedHost {
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
