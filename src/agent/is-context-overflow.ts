import { asFields } from "../interop/fields.ts";

/** Whether a provider refused a prompt because it is too long. They have no code for it in common, only words. */
export function isContextOverflow(error: unknown): boolean {
  const { statusCode, message, responseBody } = asFields(error) ?? {};
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 413) return false;
  return [message, responseBody].some((text) => typeof text === "string" && overflow.test(text));
}

const overflow =
  /context[_ ](?:length|window)|prompt is too long|request too large|input is too long|maximum (?:number of )?(?:context|input tokens|tokens allowed)|exceeds? the (?:available )?context/i;
