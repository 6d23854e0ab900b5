import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Handler } from "../../../../support/web/test-web.ts";

/** One result as a search service would know it. */
export interface KnownPage {
  readonly title: string;
  readonly url: string;
  readonly passage: string;
  readonly date?: string;
}

/** A search service on this machine: checks that it is asked as it documents, and answers in its own format. */
export interface ProviderServer {
  readonly provider: string;
  readonly key?: string;
  readonly engine?: string;
  /** Every query as the service has understood it. */
  readonly asked: Asked[];
  readonly site: Handler;
}

interface Asked {
  readonly query: string;
  readonly count?: number;
  readonly allowed?: readonly string[];
  readonly blocked?: readonly string[];
}

interface Format {
  readonly provider: string;
  readonly key?: string;
  readonly engine?: string;
  /** Undefined if the request is not what the service documents; "key" if only the key is wrong. */
  understand(request: IncomingMessage, body: string): Asked | "key" | undefined;
  answer(pages: readonly KnownPage[], asked: Asked): unknown;
}

export const providerFormats: readonly Format[] = [
  {
    provider: "searxng",
    understand({ method, url = "" }) {
      const { pathname, searchParams } = new URL(url, "http://a");
      if (method !== "GET" || pathname !== "/search" || searchParams.get("format") !== "json")
        return undefined;
      return { query: searchParams.get("q") ?? "" };
    },
    answer: (pages, { query }) => ({
      query,
      number_of_results: 0,
      results: pages.map(({ title, url, passage, date }) => ({
        url,
        title,
        content: passage,
        publishedDate: date ?? null,
        engine: "brave",
        template: "default.html",
        parsed_url: ["https", "", "", "", "", ""],
        score: 1,
        category: "general",
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
  },
  {
    provider: "tavily",
    key: "tvly-right",
    understand({ method, url, headers }, body) {
      if (method !== "POST" || url !== "/search" || headers["content-type"] !== "application/json")
        return undefined;
      if (headers.authorization !== "Bearer tvly-right") return "key";
      const { query, max_results, include_domains, exclude_domains } = JSON.parse(body);
      return { query, count: max_results, allowed: include_domains, blocked: exclude_domains };
    },
    answer: (pages, { query }) => ({
      query,
      follow_up_questions: null,
      answer: null,
      images: [],
      results: pages.map(({ title, url, passage, date }) => ({
        url,
        title,
        content: passage,
        score: 0.9,
        raw_content: null,
        ...(date !== undefined && { published_date: new Date(date).toUTCString() }),
      })),
      response_time: 1.2,
    }),
  },
  {
    provider: "brave",
    key: "brave-right",
    understand({ method, url = "", headers }) {
      const { pathname, searchParams } = new URL(url, "http://a");
      if (method !== "GET" || pathname !== "/res/v1/web/search") return undefined;
      if (headers["x-subscription-token"] !== "brave-right") return "key";
      return { query: searchParams.get("q") ?? "", count: Number(searchParams.get("count")) };
    },
    answer: (pages, { query }) => ({
      type: "search",
      query: { original: query, more_results_available: false },
      ...(pages.length > 0 && {
        web: {
          type: "search",
          family_friendly: true,
          results: pages.map(({ title, url, passage, date }) => ({
            type: "search_result",
            title: title.replaceAll("&", "&amp;"),
            url,
            description: passage.replaceAll("&", "&amp;").replaceAll("'", "&#x27;"),
            ...(date !== undefined && { age: "3 days ago", page_age: `${date}T10:00:00` }),
            profile: { name: "Example", url, long_name: "example.com" },
            language: "en",
          })),
        },
      }),
    }),
  },
  {
    provider: "google",
    key: "google-right",
    engine: "my-engine",
    understand({ method, url = "", headers }) {
      const { pathname, searchParams } = new URL(url, "http://a");
      if (method !== "GET" || pathname !== "/customsearch/v1" || searchParams.get("cx") !== "my-engine")
        return undefined;
      if (headers["x-goog-api-key"] !== "google-right") return "key";
      const count = Number(searchParams.get("num"));
      return count >= 1 && count <= 10 ? { query: searchParams.get("q") ?? "", count } : undefined;
    },
    answer: (pages) => ({
      kind: "customsearch#search",
      url: { type: "application/json", template: "" },
      queries: { request: [{}] },
      searchInformation: { totalResults: String(pages.length) },
      ...(pages.length > 0 && {
        items: pages.map(({ title, url, passage, date }) => ({
          kind: "customsearch#result",
          title,
          htmlTitle: `<b>${title}</b>`,
          link: url,
          displayLink: new URL(url).host,
          snippet: passage,
          ...(date !== undefined && {
            pagemap: { metatags: [{ "article:published_time": `${date}T10:00:00+00:00` }] },
          }),
        })),
      }),
    }),
  },
  {
    provider: "exa",
    key: "exa-right",
    understand({ method, url, headers }, body) {
      if (method !== "POST" || url !== "/search") return undefined;
      if (headers["x-api-key"] !== "exa-right") return "key";
      const { query, numResults, includeDomains, excludeDomains } = JSON.parse(body);
      return { query, count: numResults, allowed: includeDomains, blocked: excludeDomains };
    },
    answer: (pages) => ({
      requestId: "r1",
      resolvedSearchType: "neural",
      results: pages.map(({ title, url, passage, date }) => ({
        id: url,
        title,
        url,
        ...(date !== undefined && { publishedDate: `${date}T00:00:00.000Z` }),
        author: null,
        highlights: [passage],
        highlightScores: [0.5],
      })),
      costDollars: { total: 0.005 },
    }),
  },
];

export function createProviderServer(format: Format, pages: readonly KnownPage[]): ProviderServer {
  const asked: Asked[] = [];
  const site: Handler = async (request, response) => {
    const understood = format.understand(request, await text(request));
    const status = understood === undefined ? 400 : understood === "key" ? 401 : 200;
    response.writeHead(status, { "content-type": "application/json" });
    if (understood === undefined || understood === "key") {
      response.end(JSON.stringify({ detail: { error: `refused ${request.headers.authorization ?? ""}` } }));
      return;
    }
    asked.push(understood);
    response.end(JSON.stringify(format.answer(pages, understood)));
  };
  const { provider, key, engine } = format;
  return {
    provider,
    asked,
    site,
    ...(key !== undefined && { key }),
    ...(engine !== undefined && { engine }),
  };
}
