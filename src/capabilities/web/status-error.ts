import { STATUS_CODES } from "node:http";
import type { OpenResponse } from "../../machine/web-client/guarded-client.ts";
import { ToolError } from "../../tool/tool-error.ts";

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
    ...(partial !== undefined && { partial }),
  });
}

const hints: Readonly<Record<number, string>> = {
  401: "The page is for users who are signed in. Use another source.",
  403: "The site refuses this request. Use another source.",
  404: "Check the address, or search for the page.",
  410: "The page is gone. Search for another one.",
};
