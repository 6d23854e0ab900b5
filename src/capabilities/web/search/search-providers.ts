import type { WebSearchResult } from "../../../tool/services/web.ts";

/** The search services that can be configured, by the name that the configuration uses. */
export const searchProviders: ReadonlyMap<string, SearchProvider> = new Map(
  Object.entries<SearchProvider>({
    searxng: {
      label: "SearXNG",
      onRefusal: "Its settings.yml must list json under search.formats, and its limiter must let you in.",
      ask: (search, { url }) =>
        get(`${url}/search`, { q: queryWithSites(search), format: "json", safesearch: "0" }),
      read: (answer) => resultsIn(itemsAt(answer, "results"), { snippet: "content", date: "publishedDate" }),
    },
    tavily: {
      label: "Tavily",
      url: "https://api.tavily.com",
      keyEnv: "TAVILY_API_KEY",
      ask: ({ query, maxResults, allowedDomains, blockedDomains }, { url, key }) =>
        post(
          `${url}/search`,
          { authorization: `Bearer ${key}` },
          {
            query,
            max_results: Math.min(maxResults, 20),
            include_domains: ifAny(allowedDomains),
            exclude_domains: ifAny(blockedDomains),
          },
        ),
      read: (answer) => resultsIn(itemsAt(answer, "results"), { snippet: "content", date: "published_date" }),
    },
    brave: {
      label: "Brave Search",
      url: "https://api.search.brave.com",
      keyEnv: "BRAVE_API_KEY",
      ask: (search, { url, key }) =>
        get(
          `${url}/res/v1/web/search`,
          {
            q: queryWithSites(search),
            count: String(Math.min(search.maxResults, 20)),
            result_filter: "web",
            text_decorations: "false",
          },
          { "x-subscription-token": key },
        ),
      // An answer without any result has no `web` at all.
      read: (answer) =>
        resultsIn(itemsAt(answer, "web", "results"), { snippet: "description", date: "page_age" }),
    },
    google: {
      label: "Google Programmable Search",
      url: "https://customsearch.googleapis.com",
      keyEnv: "GOOGLE_SEARCH_API_KEY",
      needsEngine: true,
      // The key is in a header, because addresses end up in logs.
      ask: (search, { url, key, engine }) =>
        get(
          `${url}/customsearch/v1`,
          { q: queryWithSites(search), cx: engine, num: String(Math.min(search.maxResults, 10)) },
          { "x-goog-api-key": key },
        ),
      // An answer without any result has no `items` at all.
      read: (answer) =>
        resultsIn(itemsAt(answer, "items"), {
          url: "link",
          snippet: "snippet",
          date: (item) => textAt(itemsAt(item, "pagemap", "metatags")[0], "article:published_time"),
        }),
    },
    exa: {
      label: "Exa",
      url: "https://api.exa.ai",
      keyEnv: "EXA_API_KEY",
      ask: ({ query, maxResults, allowedDomains, blockedDomains }, { url, key }) =>
        post(
          `${url}/search`,
          { "x-api-key": key },
          {
            query,
            numResults: maxResults,
            contents: { highlights: true },
            includeDomains: ifAny(allowedDomains),
            excludeDomains: ifAny(blockedDomains),
          },
        ),
      read: (answer) =>
        resultsIn(itemsAt(answer, "results"), {
          snippet: (item) => itemsAt(item, "highlights").map(String).join(" … ") || textAt(item, "text"),
          date: "publishedDate",
        }),
    },
  }),
);

function get(
  address: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, method: "GET", headers: { accept: "application/json", ...headers } };
}

function post(url: string, headers: Readonly<Record<string, string>>, body: object): ProviderRequest {
  return {
    url,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** The domains, or undefined if there are none, so that JSON leaves out the field. */
function ifAny(domains: readonly string[]): readonly string[] | undefined {
  return domains.length > 0 ? domains : undefined;
}

/** Domains as operators in the query, for services without parameters for them. */
function queryWithSites({ query, allowedDomains, blockedDomains }: SearchTerms): string {
  const allowed = allowedDomains.map((domain) => `site:${domain}`).join(" OR ");
  const blocked = blockedDomains.map((domain) => `-site:${domain}`);
  const sites = allowedDomains.length > 1 ? [`(${allowed})`] : allowed === "" ? [] : [allowed];
  return [query, ...sites, ...blocked].join(" ");
}

/** The name of a field of a result, or a function that reads it. */
type ResultField = string | ((item: unknown) => string);

/** Reads results whose titles are in the field `title`, and whose other parts are in the given fields. */
function resultsIn(
  items: readonly unknown[],
  { url = "url", snippet, date }: { url?: string; snippet: ResultField; date: ResultField },
): readonly WebSearchResult[] {
  const read = (item: unknown, field: ResultField) =>
    typeof field === "string" ? textAt(item, field) : field(item);
  return items.map((item) => ({
    title: textAt(item, "title"),
    url: textAt(item, url),
    snippet: read(item, snippet),
    date: read(item, date),
  }));
}

/** The list at these names, one inside the other; empty if one of them is missing. Throws if it is something else. */
function itemsAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  let found: unknown = value;
  for (const name of names) {
    if (found === undefined || found === null) return [];
    if (typeof found !== "object" || Array.isArray(found)) throw unexpected(name);
    found = Object.hasOwn(found, name) ? found[name as keyof typeof found] : undefined;
  }
  if (found === undefined || found === null) return [];
  if (!Array.isArray(found)) throw unexpected(names.at(-1) ?? "");
  return found;
}

/** The text under this name; empty if it is missing. */
function textAt(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return "";
  const found: unknown = value[name as keyof typeof value];
  return typeof found === "string" ? found : "";
}

function unexpected(name: string): Error {
  return new Error(`${JSON.stringify(name)} is not where it should be`);
}

/** A search service: how to ask it, and how to read its answer. Everything else is the same for all of them. */
export interface SearchProvider {
  /** The name of the service as people write it. */
  readonly label: string;
  /** Where it answers; undefined if every user has another. */
  readonly url?: string;
  /** The environment variable that usually holds the key; undefined if it needs none. */
  readonly keyEnv?: string;
  /** Whether it needs the id of a search engine that its user has set up. */
  readonly needsEngine?: boolean;
  /** The hint for the user when the service refuses the key, or access without one. */
  readonly onRefusal?: string;
  ask(search: SearchTerms, access: ProviderAccess): ProviderRequest;
  /** Reads its results from the parsed answer; throws if it is not as the service documents it. */
  read(answer: unknown): readonly WebSearchResult[];
}

export interface SearchTerms {
  readonly query: string;
  readonly maxResults: number;
  /** The domains, with those beneath them, that results may be from; empty for all. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
}

interface ProviderAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly engine: string;
}

export interface ProviderRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
