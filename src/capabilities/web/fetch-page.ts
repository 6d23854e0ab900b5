import type { IncomingHttpHeaders } from "node:http";
import { type OpenResponse, readBody } from "../../machine/web-client/index.ts";
import { createStarMatcher } from "../../shared/glob/name-pieces.ts";
import { defined } from "../../shared/options/defined.ts";
import { markAsMaterial } from "../../shared/text/mark-as-material.ts";
import { queryWords } from "../../shared/text/query-words.ts";
import { splitWords, stemWord } from "../../shared/text/split-words.ts";
import type { WebUrl } from "../../shared/web/parse-web-url.ts";
import { readWebUrl } from "../../tool/read-web-url.ts";
import type { RedirectedPage, WebPage, WebReadOptions } from "../../tool/services/web.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type Page, readPage } from "./page/read-page.ts";
import type { CachedPage } from "./page-cache.ts";
import { describeStatus, maxBodyBytes, ownHeaders, type SendingParts, visit } from "./send-request.ts";

/** Fetches a page, from the cache if it is fresh, and makes it readable. */
export async function fetchPage(
  address: string,
  { question, timeoutMs }: WebReadOptions,
  parts: SendingParts,
): Promise<WebPage> {
  const url = readWebUrl(address);
  // A page in the cache needs permission as well.
  await parts.gate.reach(url.authority);
  const fetched = await fetchOrRecall(url, timeoutMs, parts);
  if ("redirect" in fetched) return fetched;
  const { body, contentType, isCut, fetchedAtMs } = fetched;
  const page = await readPage({ body, contentType, url: fetched.url, signal: parts.call.deadline.signal });
  if (page.kind === "binary") throw notReadable(fetched, page);
  if (page.kind === "image" && isCut) throw tooLarge(fetched.url);
  return {
    url: fetched.url,
    kind: page.kind,
    contentType,
    blocks: page.kind === "image" ? [page.text] : page.blocks,
    ...defined({
      title: page.title,
      relevant: question === undefined ? undefined : rankBlocks(page.blocks, question),
      image: page.image && { data: page.image.data, mimeType: page.image.mediaType },
    }),
    isCut,
    fetchedAt: new Date(fetchedAtMs).toISOString(),
  };
}

async function fetchOrRecall(
  url: WebUrl,
  timeoutMs: number | undefined,
  parts: SendingParts,
): Promise<CachedPage | RedirectedPage> {
  const { cache } = parts.access;
  const cached = await cache.find(url.href);
  if (cached !== undefined && cached.freshUntilMs > Date.now()) {
    // The page is content of that host, whether it comes from the cache or not.
    parts.call.noteHost(url.authority);
    return cached;
  }
  if (parts.access.followsRobots) await checkRobots(url, parts);
  const headers = { ...ownHeaders, ...cached?.validators };
  return visit(url, { method: "GET", headers, timeoutMs }, parts, async (response, signal) => {
    if (response.redirect !== undefined) {
      response.close();
      return { kind: "redirect", url: response.url.href, redirect: response.redirect };
    }
    const fetchedAtMs = Date.now();
    const freshness = freshnessOf(response.headers, { nowMs: fetchedAtMs, mayGuess: response.isPublic });
    if (response.status === 304 && cached !== undefined) {
      response.close();
      if (freshness !== undefined) await cache.keep(url.href, { ...cached, ...freshness, fetchedAtMs });
      return { ...cached, fetchedAtMs };
    }
    const { bytes: body, isCut } = await readBody(response, {
      maxBytes: maxBodyBytes,
      onOverflow: "cut",
      signal,
    });
    const contentType = response.headers["content-type"] ?? "";
    const page = {
      url: response.url.href,
      contentType,
      validators: {},
      fetchedAtMs,
      freshUntilMs: 0,
      isCut,
      body,
    };
    if (response.status < 200 || response.status > 299) throw await statusError(response, page);
    if (freshness !== undefined && response.status === 200)
      await cache.keep(url.href, { ...page, ...freshness });
    return page;
  });
}

/** The error for a status, with the page that came with it: it often tells the reason. */
async function statusError(
  response: OpenResponse,
  { body, contentType, url }: CachedPage,
): Promise<ToolError> {
  const page = await readPage({ body, contentType, url }).catch(() => undefined);
  const text = page === undefined || page.kind === "binary" ? "" : page.text.slice(0, maxErrorCharacters);
  return describeStatus(response, text === "" ? undefined : markAsMaterial(text));
}

const maxErrorCharacters = 2000;

function notReadable({ url }: CachedPage, { text }: Page): ToolError {
  return new ToolError("unsupported", `${url} is not a page that can be read: ${text}`, {
    hint: "Download it to a file if you need it.",
  });
}

function tooLarge(url: string): ToolError {
  return new ToolError("too-large", `the image ${url} is larger than ${maxBodyBytes} bytes`, {
    hint: "Download it to a file.",
  });
}

/** Throws if the site's robots.txt asks programs to stay away from this page. */
async function checkRobots(url: WebUrl, parts: SendingParts): Promise<void> {
  const { robots } = parts.access;
  const address = `${url.scheme}://${url.authority}/robots.txt`;
  const known = robots.get(address);
  const isKnown = known !== undefined && known.untilMs > Date.now();
  const text = isKnown ? known.text : await fetchRobots(readWebUrl(address), parts);
  robots.set(address, { text, untilMs: isKnown ? known.untilMs : Date.now() + keptMs });
  if (mayRobotFetch(text, url.path, "toolwright")) return;
  throw new ToolError(
    "permission-denied",
    `${url.authority} asks programs not to fetch ${url.href} (robots.txt)`,
    { hint: "Use another source." },
  );
}

const keptMs = 60 * 60 * 1000;

function fetchRobots(url: WebUrl, parts: SendingParts): Promise<string> {
  return visit(url, { method: "GET", headers: ownHeaders }, parts, async (response, signal) => {
    const { bytes } = await readBody(response, { maxBytes: maxBodyBytes, onOverflow: "cut", signal });
    if (response.status === 200) return Buffer.from(bytes).toString();
    // A site whose robots.txt cannot be read may mean to allow nothing (RFC 9309).
    return response.status >= 500 ? "user-agent: *\ndisallow: /" : "";
  });
}

/** How long a page may be used again, and how to ask whether it has changed (RFC 9111). Undefined: it may not be kept. */
function freshnessOf(
  headers: IncomingHttpHeaders,
  { nowMs, mayGuess }: { nowMs: number; mayGuess: boolean },
): Pick<CachedPage, "validators" | "freshUntilMs"> | undefined {
  const control = readControl(headers["cache-control"]);
  if (control.has("no-store") || headers["set-cookie"] !== undefined || headers.vary?.trim() === "*")
    return undefined;
  const { etag, "last-modified": modified } = headers;
  const validators = defined({ "if-none-match": etag, "if-modified-since": modified });
  const lifetimeMs = Math.min(lifetimeOf(headers, control, { nowMs, mayGuess }), maxLifetimeMs);
  if (lifetimeMs <= 0 && Object.keys(validators).length === 0) return undefined;
  return { validators, freshUntilMs: nowMs + Math.max(0, lifetimeMs) };
}

const maxLifetimeMs = 24 * 60 * 60 * 1000;

// Long enough to read a page in several parts.
const guessedLifetimeMs = 5 * 60 * 1000;

function lifetimeOf(
  headers: IncomingHttpHeaders,
  control: ReadonlyMap<string, string>,
  { nowMs, mayGuess }: { nowMs: number; mayGuess: boolean },
): number {
  if (control.has("no-cache")) return 0;
  const ageMs = 1000 * (Number(headers.age) || 0);
  const maxAge = control.get("max-age");
  if (maxAge !== undefined) return 1000 * (Number(maxAge) || 0) - ageMs;
  if (headers.expires !== undefined) return (Date.parse(headers.expires) || 0) - nowMs;
  return mayGuess ? guessedLifetimeMs : 0;
}

function readControl(header = ""): Map<string, string> {
  const directives = header.toLowerCase().split(",");
  return new Map(
    directives.map((directive) => {
      const [name = "", value = ""] = directive.split("=");
      return [name.trim(), value.trim().replace(/^"|"$/g, "")];
    }),
  );
}

/** Whether a site's robots.txt (RFC 9309) lets a program of this name fetch a path. */
export function mayRobotFetch(robots: string, path: string, name: string): boolean {
  const groups = readGroups(robots);
  const own = groups.filter(({ agents }) => agents.includes(name));
  const meant = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const matching = meant.flatMap(({ rules }) => rules).filter(({ pattern }) => matches(pattern, path));
  // The longest rule wins; of two equally long ones, the one that allows.
  matching.sort(
    (left, right) => right.pattern.length - left.pattern.length || Number(right.allows) - Number(left.allows),
  );
  return matching[0]?.allows ?? true;
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly pattern: string; readonly allows: boolean }[];
}

function readGroups(robots: string): Group[] {
  const groups: Group[] = [];
  for (const line of robots.slice(0, maxCharacters).split(/\r\n?|\n/)) {
    const [, field = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const key = field.toLowerCase();
    const last = groups.at(-1);
    if (key === "user-agent") {
      const agent = value.trim().toLowerCase();
      if (last !== undefined && last.rules.length === 0) last.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
    } else if (last !== undefined && (key === "allow" || key === "disallow")) {
      const pattern = value.trim();
      // An empty rule matches nothing.
      if (pattern !== "") last.rules.push({ pattern, allows: key === "allow" });
    }
  }
  return groups;
}

const maxCharacters = 500_000;

/** `*` stands for any characters, a final `$` for the end. */
function matches(pattern: string, path: string): boolean {
  return createStarMatcher(pattern.endsWith("$") ? pattern.slice(0, -1) : `${pattern}*`)(path);
}

/** The indexes of the blocks that have words of the question, best first, by BM25. */
export function rankBlocks(blocks: readonly string[], question: string): number[] {
  const wanted = queryWords(question);
  const documents = blocks.map(countWords);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / (documents.length || 1);
  const scores = documents.map(() => 0);
  for (const { stem, weight } of wanted) {
    const holders = documents.filter(({ counts }) => counts.has(stem)).length;
    const rarity = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    documents.forEach(({ counts, length }, index) => {
      const count = counts.get(stem) ?? 0;
      const damping = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
      scores[index]! += (weight * rarity * count * (saturation + 1)) / (count + damping || 1);
    });
  }
  const found = [...scores.keys()].filter((index) => scores[index]! > 0);
  return found.sort((left, right) => scores[right]! - scores[left]! || left - right);
}

// The usual constants of BM25: how soon more of the same word stops counting, and how much long blocks are discounted.
const saturation = 1.2;
const lengthShare = 0.75;

function countWords(block: string): { counts: ReadonlyMap<string, number>; length: number } {
  const { words, parts } = splitWords(block);
  const counts = new Map<string, number>();
  for (const word of [...words, ...parts]) {
    const stem = stemWord(word);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: words.length };
}
