import type { ProviderRequest, SearchProvider, SearchTerms } from "./search-provider.ts";

/** The search services that can be configured, by the name that the configuration uses. */
export const searchProviders: ReadonlyMap<string, SearchProvider> = new Map<string, SearchProvider>([
  [
    "searxng",
    {
      label: "SearXNG",
      onRefusal: "Its settings.yml must list json under search.formats, and its limiter must let you in.",
      ask: (search, { url }) =>
        get(`${url}/search`, { q: queryWithSites(search), format: "json", safesearch: "0" }),
      read: (answer) =>
        itemsAt(answer, "results").map((item) => ({
          title: textAt(item, "title"),
          url: textAt(item, "url"),
          snippet: textAt(item, "content"),
          date: textAt(item, "publishedDate"),
        })),
    },
  ],
  [
    "tavily",
    {
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
      read: (answer) =>
        itemsAt(answer, "results").map((item) => ({
          title: textAt(item, "title"),
          url: textAt(item, "url"),
          snippet: textAt(item, "content"),
          date: textAt(item, "published_date"),
        })),
    },
  ],
  [
    "brave",
    {
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
        itemsAt(answer, "web", "results").map((item) => ({
          title: textAt(item, "title"),
          url: textAt(item, "url"),
          snippet: textAt(item, "description"),
          date: textAt(item, "page_age"),
        })),
    },
  ],
  [
    "google",
    {
      label: "Google Programmable Search",
      url: "https://customsearch.googleapis.com",
      keyEnv: "GOOGLE_SEARCH_API_KEY",
      needsEngine: true,
      // In a header, because addresses end up in logs.
      ask: (search, { url, key, engine }) =>
        get(
          `${url}/customsearch/v1`,
          { q: queryWithSites(search), cx: engine, num: String(Math.min(search.maxResults, 10)) },
          { "x-goog-api-key": key },
        ),
      // An answer without any result has no `items` at all.
      read: (answer) =>
        itemsAt(answer, "items").map((item) => ({
          title: textAt(item, "title"),
          url: textAt(item, "link"),
          snippet: textAt(item, "snippet"),
          date: textAt(itemsAt(item, "pagemap", "metatags")[0], "article:published_time"),
        })),
    },
  ],
  [
    "exa",
    {
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
        itemsAt(answer, "results").map((item) => ({
          title: textAt(item, "title"),
          url: textAt(item, "url"),
          snippet: itemsAt(item, "highlights").map(String).join(" … ") || textAt(item, "text"),
          date: textAt(item, "publishedDate"),
        })),
    },
  ],
]);

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
