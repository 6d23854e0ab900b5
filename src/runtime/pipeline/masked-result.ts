import type { Redactor } from "../../shared/secrets/redact.ts";
import {
  isPartsResult,
  type NormalizedResult,
  normalizeResult,
  type ToolReturn,
} from "../../tool/tool-result.ts";

/**
 * One form for whatever was returned, the data with its secrets masked. What goes under a telling name is masked before
 * it is put into words; what is known by its look is masked in the text as a whole, when that is shaped: a tool that
 * numbers lines or marks matches counts in strings as they were.
 */
export function maskedResult(
  redactor: Redactor,
  value: ToolReturn,
  toText?: (value: never) => string,
): NormalizedResult {
  const result = normalizeResult(value, toText);
  if (result.data === undefined) return result;
  const data = redactor.value(result.data);
  if (data === result.data && !isPartsResult(value)) return result;
  return { ...normalizeResult(redactor.named(value), toText), data };
}
