import { asFields } from "../../interop/fields.ts";

/** In one sentence what a model's provider, or the way to it, has said no to, and what may help. */
export function describeModelError(error: unknown): string {
  const { message, statusCode, cause, url } = asFields(error) ?? {};
  const said = typeof message === "string" && message !== "" ? message : plainText(error);
  if (typeof statusCode === "number") return `${said} (${describeStatus(statusCode, url)})`;
  const { code, message: reason } = asFields(cause) ?? {};
  const advice = typeof code === "string" ? adviceFor(code) : undefined;
  // What OpenSSL says is for those who build it.
  if (advice !== undefined) return `${placeOf(url)} cannot be reached: ${advice} (${code})`;
  const why = [code, reason].find((each) => typeof each === "string" && each !== "");
  return why === undefined || said.includes(String(why)) ? said : `${said} (${why})`;
}

function plainText(error: unknown): string {
  if (typeof error === "string") return error;
  const inner = asFields(asFields(error)?.error)?.message;
  if (typeof inner === "string") return inner;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}

function describeStatus(statusCode: number, url: unknown): string {
  if (statusCode === 401 || statusCode === 403) return `HTTP ${statusCode}; is the key right?`;
  if (statusCode !== 404) return `HTTP ${statusCode}`;
  return `HTTP 404 from ${placeOf(url)}; are the name of the model and the base URL right?`;
}

/** Without what may be secret in it. */
function placeOf(url: unknown): string {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed === null ? "the model" : `${parsed.origin}${parsed.pathname}`;
}

function adviceFor(code: string): string | undefined {
  return advices.find(([pattern]) => pattern.test(code))?.[1];
}

const advices: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "nothing answers there; is the server running?"],
  [/^ENOTFOUND$/, "there is no such host; is the base URL right?"],
  [/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, "it does not speak https; try http://"],
  [
    /SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    "its certificate is not trusted; NODE_EXTRA_CA_CERTS can name a file with one that vouches for it",
  ],
  [/^CERT_|^ERR_TLS_/, "its certificate is not valid for this address, or not any more"],
];
