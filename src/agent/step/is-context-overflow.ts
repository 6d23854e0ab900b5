import { asFields } from "../../faces/interop/fields.ts";

/** Whether a provider refused a prompt as too long. Providers share no error code for this, so the words must do. */
export function isContextOverflow(error: unknown): boolean {
  const { statusCode, message, responseBody, code, error: inner } = asFields(error) ?? {};
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 413) return false;
  const said = [message, responseBody, code].some((text) => typeof text === "string" && overflow.test(text));
  // An error within a stream is nested like this.
  return said || (inner !== error && asFields(inner) !== undefined && isContextOverflow(inner));
}

const overflow = new RegExp(
  [
    /context[_ ](?:length|window|limit|size)/,
    /(?:prompt|input) is too long|maximum prompt length/,
    /request too large|request exceeds the maximum size/,
    /maximum (?:number of )?(?:context|input tokens|tokens allowed)/,
    /input tokens exceed|reduce the length of the messages/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);
