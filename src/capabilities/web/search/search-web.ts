import { defined } from "../../../shared/options/defined.ts";
import { cleanLine } from "../../../shared/text/one-line.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import type { WebSearchOptions, WebSearchResult } from "../../../tool/services/web.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { decodeReferences } from "../page/numeric-references.ts";
import {
  type ProviderRequest,
  type SearchProvider,
  type SearchTerms,
  searchProviders,
} from "./search-providers.ts";
import { addressOf, type SearchSettings } from "./search-settings.ts";

/** Sends a request to the configured service and nowhere else. */
export type SendSearch = (
  request: ProviderRequest,
) => Promise<{ readonly status: number; readonly body: string }>;

/** Searches the web with the configured service. Throws `unavailable` if there is none. */
export async function searchWeb(
  query: string,
  { maxResults = defaultResults, allowedDomains = [], blockedDomains = [] }: WebSearchOptions,
  { settings, send }: { settings: SearchSettings | undefined; send: SendSearch },
): Promise<readonly WebSearchResult[]> {
  const { provider, access } = findProvider(settings);
  const terms: SearchTerms = {
    query,
    maxResults,
    allowedDomains: allowedDomains.map(readDomain),
    blockedDomains: blockedDomains.map(readDomain),
  };
  const { status, body } = await send(provider.ask(terms, access));
  if (status < 200 || status > 299) {
    // Some services quote the key that they refuse.
    const said = access.key === "" ? body : body.replaceAll(access.key, "…");
    throw refused(provider, { status, body: said, settings });
  }
  const found = await Promise.all(readAnswer(provider, body).map(tidy));
  const seen = new Set<string>();
  const fitting = found.filter(({ url }) => {
    const isFirst = !seen.has(url);
    seen.add(url);
    return isFirst && isWanted(url, terms);
  });
  return fitting.slice(0, maxResults);
}

const defaultResults = 10;

function findProvider(settings: SearchSettings | undefined) {
  const provider = settings === undefined ? undefined : searchProviders.get(settings.provider);
  if (settings === undefined || provider === undefined)
    throw new ToolError("unavailable", "no search service is configured", {
      hint: `Set web.search in the configuration, such as { "provider": "searxng", "url": "http://localhost:8888" } or { "provider": "tavily" }. Providers: ${[...searchProviders.keys()].join(", ")}.`,
    });
  const { engine = "" } = settings;
  const keyEnv = settings.keyEnv ?? provider.keyEnv;
  const key = keyEnv === undefined ? "" : (process.env[keyEnv] ?? "").trim();
  if (provider.keyEnv !== undefined && key === "") {
    throw new ToolError("unavailable", `searching with ${provider.label} needs an API key`, {
      hint: `Set the environment variable ${keyEnv} to the key, then start again.`,
    });
  }
  return { provider, access: { url: trimEndOf(addressOf(settings), "/"), key, engine } };
}

function readDomain(text: string): string {
  const domain = text
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, "");
  const host = URL.parse(`https://${domain}`)?.host;
  if (host !== undefined && host !== "" && /^[^\s/@:?#]+$/.test(domain)) return host;
  throw new ToolError("invalid-input", `${JSON.stringify(text)} is not a domain`, {
    hint: "Write domains without scheme and path, such as example.com.",
  });
}

function readAnswer(provider: SearchProvider, body: string): readonly WebSearchResult[] {
  try {
    return provider.read(JSON.parse(body));
  } catch (cause) {
    throw new ToolError("unavailable", `${provider.label} sent an answer that could not be read`, {
      hint: "Check that web.search.url leads to the service, and try again later.",
      retryable: true,
      cause,
    });
  }
}

/** Results are written by strangers: each becomes plain lines without invisible characters. */
async function tidy({ title, url, snippet, date }: WebSearchResult): Promise<WebSearchResult> {
  const time = date === undefined || date === "" ? Number.NaN : Date.parse(date);
  return {
    title: cleanLine(await decodeReferences(title), 300),
    url,
    snippet: cleanLine(await decodeReferences(snippet), 1000),
    ...defined({ date: Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10) }),
  };
}

/** Whether a result is of a wanted domain. The services treat the domains as wishes, so they are checked here too. */
function isWanted(address: string, { allowedDomains, blockedDomains }: SearchTerms): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const isIn = (domain: string) => url.host === domain || url.host.endsWith(`.${domain}`);
  return (allowedDomains.length === 0 || allowedDomains.some(isIn)) && !blockedDomains.some(isIn);
}

function refused(
  { label, keyEnv, onRefusal }: SearchProvider,
  { status, body, settings }: { status: number; body: string; settings: SearchSettings | undefined },
): ToolError {
  const said = cleanLine(messageIn(body), 200);
  const fail = (what: string, hint: string, retryable = false) => {
    const message = `${label} ${what} (HTTP ${status}${said === "" ? "" : `: ${said}`})`;
    return new ToolError("unavailable", message, { hint, retryable });
  };
  if (status === 401 || status === 403) {
    const variable = settings?.keyEnv ?? keyEnv;
    return fail("refused access", onRefusal ?? `Check the key in the environment variable ${variable}.`);
  }
  if (status === 429 || status === 432 || status === 433) {
    const hint = "Wait a while before searching again, or check the plan's limits.";
    return fail("has had too many searches", hint, status === 429);
  }
  if (status >= 500) return fail("failed", "Try again in a moment.", true);
  return fail("did not accept the search", "Change the query, or check web.search in the configuration.");
}

/** The message of a refusal, from the places where these services put it. */
function messageIn(body: string): string {
  try {
    const { error, detail, message } = JSON.parse(body);
    const candidates = [error?.message, error?.detail, detail?.error, detail, error, message];
    return candidates.find((candidate) => typeof candidate === "string") ?? "";
  } catch {
    return "";
  }
}
