import { readProxy } from "../../machine/web-client/index.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { value } from "../../shared/options/known-keys.ts";
import { kinds, option, propertiesOf } from "../../shared/options/option.ts";
import { checkSearchSettings, type SearchSettings } from "./search/search-settings.ts";

/** Settings for everything that tools fetch from the web. */
export interface WebOptions {
  /** Returns a host's addresses in place of the system's resolver, as in a network with its own names. */
  readonly lookup?: (host: string) => MaybePromise<readonly string[]>;
  /**
   * Origins such as `https://wiki.example` that may be in a private network or on this machine. Calls to them still need
   * permission.
   */
  readonly origins?: readonly string[];
  /** Address of a proxy, or false for none. Default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly proxy?: string | false;
  /** Lets the proxy look up names where this machine cannot; then their addresses are not checked. Default: false. */
  readonly proxyResolves?: boolean;
  /** Certificates (PEM) of authorities to trust besides the usual ones and NODE_EXTRA_CA_CERTS. */
  readonly ca?: string | readonly string[];
  /** The service that web search uses. Without it, searching fails with a message that says how to set one up. */
  readonly search?: SearchSettings;
  /** Leaves out pages that a site's robots.txt asks programs to stay away from. Default: false. */
  readonly robots?: boolean;
}

export const webOptions = {
  web: option<WebOptions, Omit<WebOptions, "lookup">>({
    schema: {
      type: "object",
      description: "Settings for tools that use the web",
      properties: propertiesOf<Omit<WebOptions, "lookup">>({
        origins: {
          ...kinds.texts,
          description: "Further origins that may be asked, such as http://localhost:3000",
        },
        proxy: { anyOf: [kinds.text, { const: false }], description: "The proxy to use, or false for none" },
        proxyResolves: { ...kinds.flag, description: "Whether the proxy looks up names" },
        robots: { ...kinds.flag, description: "Whether to follow robots.txt" },
        ca: { anyOf: [kinds.text, kinds.texts], description: "Files of further certificates to trust" },
        search: {
          type: "object",
          description: "The service that searches the web",
          properties: propertiesOf<SearchSettings>({
            provider: kinds.text,
            url: kinds.text,
            keyEnv: kinds.text,
            engine: kinds.text,
          }),
          required: ["provider"],
        },
      }),
    },
    codeKeys: { lookup: value },
    check: checkWebOptions,
    example: { origins: ["http://localhost:3000"] },
  }),
};

/** Throws a TypeError for values that would fail only at the first request, or silently do nothing. */
function checkWebOptions({ lookup, origins = [], proxy, proxyResolves, ca = [], search }: WebOptions): void {
  if (lookup !== undefined && typeof lookup !== "function")
    throw new TypeError("web.lookup must be a function");
  if (!Array.isArray(origins)) throw new TypeError("web.origins must be a list of origins");
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      const given = JSON.stringify(origin);
      throw new TypeError(
        `web.origins: ${given} is not an origin; write it as in "http://wiki.example:8080"`,
      );
    }
  }
  if (search !== undefined) checkSearchSettings(search);
  if (proxy !== undefined && proxy !== false) readProxy(proxy);
  if (proxyResolves !== undefined && typeof proxyResolves !== "boolean")
    throw new TypeError("web.proxyResolves must be true or false");
  for (const certificate of [ca].flat()) {
    if (typeof certificate !== "string" || !certificate.includes("-----BEGIN CERTIFICATE-----"))
      throw new TypeError("web.ca must be a certificate in PEM format, or a list of them");
  }
}

function isOrigin(text: unknown): boolean {
  if (typeof text !== "string" || !URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return /^https?:$/.test(protocol) && (text === origin || text === `${origin}/`);
}
