export type WebProxy = ReturnType<typeof readProxy>;

/** Throws a TypeError without the address in it, which may hold a password. */
export function readProxy(address: string) {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw new TypeError("the proxy must be an http:// or https:// address, as in http://proxy.example:3128");
  }
  const isSecure = url.protocol === "https:";
  const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
  return {
    isSecure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || (isSecure ? 443 : 80)),
    /** The value of the header `Proxy-Authorization`. */
    authorization: credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}
