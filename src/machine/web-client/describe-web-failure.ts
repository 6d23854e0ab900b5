import type { WebUrl } from "../../shared/web/parse-web-url.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { WebProxy } from "./read-proxy.ts";
import { unknownHost } from "./resolve-host.ts";

/** What went wrong between us and a host, in one sentence with a next step. */
export function describeWebFailure(
  error: unknown,
  { host, authority }: WebUrl,
  { proxy, signal }: { proxy?: WebProxy | undefined; signal: AbortSignal },
): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ToolError) return error;
  const { code, message } = readError(error);
  const target = proxy === undefined ? authority : `the proxy ${proxy.host}:${proxy.port}`;
  const fail = (text: string, hint: string, retryable = false) =>
    new ToolError("unavailable", text, { hint, retryable, cause: error });
  if (noNetwork.has(code))
    return fail(`${target} cannot be reached: there is no network connection`, offline, true);
  if (code === "ENOTFOUND" && proxy === undefined) return unknownHost(host, error);
  if (code === "ECONNREFUSED")
    return fail(`${target} refused the connection`, "Check the address and its port.");
  if (lost.has(code) || message === "aborted" || message === "socket hang up") {
    return fail(
      `${authority} ended the connection before the response was complete`,
      "Try again later.",
      true,
    );
  }
  if (code.startsWith("HPE_")) {
    return fail(`${authority} did not send a valid HTTP response: ${message}`, "Use another page.");
  }
  if (code.startsWith("Z_") || code.startsWith("ERR__ERROR_FORMAT") || code.startsWith("ERR_BROTLI")) {
    return fail(`${authority} sent a response whose compression is damaged`, "Use another page.");
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) {
    return fail(`${authority} has no secure connection that can be trusted: ${message}`, certificates);
  }
  return fail(`the request to ${authority} failed: ${message}`, "Check the address, or try again later.");
}

const noNetwork: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTUNREACH",
  "EADDRNOTAVAIL",
]);
const lost: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"]);

const offline = "Continue without the web, or ask the user to check the connection and the proxy.";
const certificates =
  "If the user trusts its certificate authority, they can name it with the option web.ca or NODE_EXTRA_CA_CERTS.";

/** Connecting to several addresses fails with all of their errors; the first is as good as any. */
function readError(error: unknown): { code: string; message: string } {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code, message = String(first) } = first as { code?: unknown; message?: string };
  return { code: typeof code === "string" ? code : "", message };
}
