import { asFields } from "../../interop/fields.ts";

/** Whether a provider refused a prompt because it is too long. They have no code for it in common, only words. */
export function isContextOverflow(error: unknown): boolean {
  const { statusCode, message, responseBody, code, error: inner } = asFields(error) ?? {};
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 413) return false;
  const said = [message, responseBody, code].some((text) => typeof text === "string" && overflow.test(text));
  // As it is told in the middle of a stream.
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
