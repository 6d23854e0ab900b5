import { asFields } from "../../../formats/index.ts";

/** One sentence on why the model's provider refused or could not be reached, and what may help. */
export function describeModelError(error: unknown): string {
  const { message, statusCode, cause, url } = asFields(error) ?? {};
  const said = typeof message === "string" && message !== "" ? message : plainText(error);
  if (typeof statusCode === "number") return `${said} (${describeStatus(statusCode, url)})`;
  const { code, message: reason } = asFields(cause) ?? {};
  const [, advice] = advices.find(([pattern]) => typeof code === "string" && pattern.test(code)) ?? [];
  // Instead of OpenSSL's own message, which helps only its developers.
  if (advice !== undefined) return `cannot reach ${placeOf(url)}: ${advice} (${code})`;
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
  if (statusCode === 401 || statusCode === 403) return `HTTP ${statusCode}; check the API key`;
  if (statusCode !== 404) return `HTTP ${statusCode}`;
  return `HTTP 404 from ${placeOf(url)}; check the model name and the base URL`;
}

/** Leaves out the query and credentials, which may hold secrets. */
function placeOf(url: unknown): string {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed === null ? "the model" : `${parsed.origin}${parsed.pathname}`;
}

const advices: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "connection refused; is the server running, and is this its address?"],
  [/^ENOTFOUND$/, "no such host; check the base URL"],
  [/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, "the server does not use https; try http://"],
  [
    /SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    "its certificate is not trusted; to trust it, set NODE_EXTRA_CA_CERTS to a file with its CA certificate",
  ],
  [/^CERT_|^ERR_TLS_/, "its certificate has expired or does not match this address"],
];
