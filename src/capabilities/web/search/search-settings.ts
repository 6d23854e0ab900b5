import { searchProviders } from "./search-providers.ts";

/** Which service searches the web. Its key is never part of the configuration, only the variable that holds it. */
export interface SearchSettings {
  /** `searxng`, `tavily`, `brave`, `google` or `exa`. */
  readonly provider: string;
  /** Where the service answers. SearXNG needs it; for the others it replaces the usual address. */
  readonly url?: string;
  /** The environment variable that holds the key. Default: `TAVILY_API_KEY`, `BRAVE_API_KEY`, `GOOGLE_SEARCH_API_KEY` or `EXA_API_KEY`. */
  readonly keyEnv?: string;
  /** The id of the search engine, which only Google has. */
  readonly engine?: string;
}

/** Where the service answers. */
export function addressOf({ provider, url }: SearchSettings): string {
  return url ?? searchProviders.get(provider)?.url ?? "";
}

/** Throws a TypeError for settings that could never work. */
export function checkSearchSettings(settings: SearchSettings): void {
  const { provider: name, url, keyEnv, engine, ...unknown } = settings;
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) throw new TypeError(`web.search: unknown option ${JSON.stringify(extra)}`);
  const provider = searchProviders.get(name);
  if (provider === undefined) {
    const known = [...searchProviders.keys()].join(", ");
    throw new TypeError(`web.search.provider must be one of ${known}; received ${JSON.stringify(name)}`);
  }
  const address = addressOf(settings);
  if (address === "") throw new TypeError(`web.search.url must say where ${provider.label} answers`);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new TypeError(
      `web.search.url must be an address such as https://search.example; received ${JSON.stringify(address)}`,
    );
  if (keyEnv !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(keyEnv))
    throw new TypeError("web.search.keyEnv must be the name of an environment variable, not a key");
  if (provider.needsEngine && (engine === undefined || engine === ""))
    throw new TypeError(`web.search.engine must be the id of the search engine for ${provider.label}`);
}
