import {
  createGuardedClient,
  type GuardedClientOptions,
} from "../../../src/machine/web-client/guarded-client.ts";
import { readBody } from "../../../src/machine/web-client/read-body.ts";
import { parseWebUrl, type WebUrl } from "../../../src/shared/web/parse-web-url.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";

export interface PageOptions extends GuardedClientOptions {
  readonly isNamed?: boolean;
  readonly maxBytes?: number;
  readonly onOverflow?: "cut" | "refuse";
  readonly signal?: AbortSignal;
  readonly method?: string;
  readonly admit?: (url: WebUrl) => void;
}

export const publicAddress = "93.184.215.14";

/** One request by the guarded client, from the address as text to the bytes of the answer. */
export async function openPage(text: string, options: PageOptions = {}) {
  const {
    isNamed = false,
    maxBytes = 1_000_000,
    onOverflow = "cut",
    method = "GET",
    admit,
    ...rest
  } = options;
  const { signal = new AbortController().signal } = options;
  const client = createGuardedClient({ lookup: () => [publicAddress], environment: {}, ...rest });
  const url = parseWebUrl(text);
  if ("problem" in url) throw new ToolError("invalid-input", `the URL ${url.problem}`);
  const response = await client.open(url, {
    method,
    signal,
    async admit(next) {
      admit?.(next);
      return { isNamed };
    },
  });
  const { bytes, isCut } = await readBody(response, { maxBytes, onOverflow, signal });
  const { status, headers, redirect, route } = response;
  return {
    status,
    headers,
    redirect,
    route,
    url: response.url.href,
    text: Buffer.from(bytes).toString(),
    bytes,
    isCut,
  };
}
