import { STATUS_CODES } from "node:http";
import type { Gate } from "../../kernel/policy/index.ts";
import type { ServiceCall } from "../../kernel/services/index.ts";
import { type OpenResponse, readBody } from "../../machine/web-client/index.ts";
import { type Deadline, withDeadline } from "../../shared/deadline.ts";
import { defined } from "../../shared/options/defined.ts";
import { fillSecrets, fillText } from "../../shared/secrets/secret-names.ts";
import type { WebUrl } from "../../shared/web/parse-web-url.ts";
import { readWebUrl } from "../../tool/read-web-url.ts";
import type { WebRequestOptions, WebResponse } from "../../tool/services/web.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { WebAccess } from "./web-access.ts";

export interface SendingParts {
  readonly access: WebAccess;
  readonly gate: Gate;
  readonly call: Pick<ServiceCall, "deadline" | "noteHost" | "noted" | "secrets" | "holdSecrets">;
  /** The request only asks for something, even if its service takes that as POST. */
  readonly isQuery?: boolean;
}

/** One megabyte, as the limits of a command's output count it. */
export const maxBodyBytes = 1024 * 1024;

/** Sends a tool's request and returns the response as text. */
export async function sendRequest(
  address: string,
  options: WebRequestOptions,
  parts: SendingParts,
): Promise<WebResponse> {
  const url = readWebUrl(address);
  const { method = "GET" } = options;
  const { secrets = new Map() } = parts.call;
  const body = options.body === undefined ? undefined : fillText(options.body, secrets);
  const headers = { ...ownHeaders, ...checkHeaders(fillSecrets(options.headers ?? {}, secrets)) };
  const request = { method, headers, body: body === undefined ? undefined : Buffer.from(body) };
  return visit(url, { ...request, timeoutMs: options.timeoutMs }, parts, async (response, signal) => {
    const { bytes, isCut } = await readBody(response, { maxBytes: maxBodyBytes, onOverflow: "cut", signal });
    const contentType = response.headers["content-type"] ?? "";
    return {
      url: response.url.href,
      status: response.status,
      contentType,
      headers: flatten(response.headers),
      body: decode(bytes, contentType),
      isCut,
      ...defined({ redirect: response.redirect }),
    };
  });
}

interface Visit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends one request with the call's permissions, within the limits of its host, and notes the host for the receipt. */
export async function visit<Result>(
  url: WebUrl,
  { timeoutMs, ...request }: Visit,
  { access, gate, call, isQuery = false }: SendingParts,
  read: (response: OpenResponse, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const use = { sends: request.method !== "GET" && !isQuery };
  // Before waiting for a turn: a request that is not allowed need not wait.
  await gate.reach(url.authority, use);
  const client = await access.client();
  const admit = async ({ authority, scheme }: WebUrl) => {
    call.holdSecrets?.({ host: authority, isEncrypted: scheme === "https" });
    const reach = await gate.reach(authority, use);
    call.noteHost(authority);
    return reach;
  };
  return withinCall(call.deadline, timeoutMs, (signal) =>
    access.limits.during(url.host, signal, async () => {
      const response = await client.open(url, { ...request, signal, admit });
      if (response.route !== "direct") call.noted.route = response.route;
      return read(response, signal);
    }),
  );
}

/** Gives the work a time limit within the call's. */
async function withinCall<Result>(
  whole: Deadline,
  timeoutMs: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return work(whole.signal);
  return withDeadline(timeoutMs, whole.signal, ({ signal }) =>
    work(signal).catch((error: unknown) => {
      // If the whole call was ended, its reason is thrown as it is.
      throw signal.aborted && whole.reason !== undefined ? whole.reason : error;
    }),
  );
}

export const ownHeaders = {
  "user-agent": "toolwright",
  accept: "text/html, application/xhtml+xml, text/markdown, text/plain, application/json;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip, br",
};

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (reservedHeaders.has(lower) || lower.startsWith("proxy-") || lower.startsWith("sec-")) {
      throw new ToolError("invalid-input", `the header ${name} cannot be set; leave it out`);
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new ToolError("invalid-input", `the header ${JSON.stringify(name)} is not valid`);
    }
    checked[lower] = value;
  }
  return checked;
}

// Headers that decide where a request goes or where it ends. A caller may not set them.
const reservedHeaders: ReadonlySet<string> = new Set(
  "accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade via".split(
    " ",
  ),
);

function flatten(headers: OpenResponse["headers"]): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name !== "set-cookie");
  return Object.fromEntries(entries.map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

function decode(bytes: Uint8Array, contentType: string): string {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The error for a status other than 2xx; `partial` is the page that came with it. */
export function describeStatus(
  { status, headers, url }: Pick<OpenResponse, "status" | "headers" | "url">,
  partial?: string,
): ToolError {
  const name = STATUS_CODES[status];
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const after = /^\d{1,6}$/.exec(headers["retry-after"] ?? "")?.[0];
  const hint = hints[status] ?? (isTemporary ? "Try again later." : "Check the address.");
  const message = `${url.href} answered with status ${status}${name === undefined ? "" : ` (${name})`}`;
  return new ToolError("http-error", message, {
    hint: after === undefined ? hint : `${hint} The server says: after ${after} seconds.`,
    retryable: isTemporary,
    partial,
  });
}

const hints: Readonly<Record<number, string>> = {
  401: "The page is for users who are signed in. Use another source.",
  403: "The site refuses this request. Use another source.",
  404: "Check the address, or search for the page.",
  410: "The page is gone. Search for another one.",
};
