import { asFields } from "../interop/fields.ts";

/** In one sentence what a model's provider, or the way to it, has said no to. */
export function describeModelError(error: unknown): string {
  const { message, statusCode, cause } = asFields(error) ?? {};
  const said = typeof message === "string" && message !== "" ? message : plainText(error);
  const why = typeof statusCode === "number" ? ` (HTTP ${statusCode})` : because(cause);
  return `${said}${why}`;
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

/** `fetch failed` alone tells nobody anything. */
function because(cause: unknown): string {
  const { message, code } = asFields(cause) ?? {};
  const said = [code, message].find((each) => typeof each === "string" && each !== "");
  return said === undefined ? "" : ` (${said})`;
}
