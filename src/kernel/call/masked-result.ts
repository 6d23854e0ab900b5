import type { Redactor } from "../../shared/secrets/redact.ts";
import {
  isPartsResult,
  type NormalizedResult,
  normalizeResult,
  type ToolReturn,
} from "../../tool/tool-result.ts";

/**
 * Normalizes what a tool returned and masks secrets in its data. Values under a telling key, such as `password`, are
 * masked before `toText`. Secrets known by their look are masked later, in the finished text: a tool that numbers lines
 * or marks matches counts characters of the original strings.
 */
export function maskedResult(
  redactor: Redactor,
  value: ToolReturn,
  toText?: (value: never) => string,
): NormalizedResult {
  const result = normalizeResult(value, toText);
  if (result.data === undefined) return result;
  const data = redactor.value(result.data);
  const hasParts = isPartsResult(value);
  if (data === result.data && !hasParts) return result;
  // A result without its own text is written as JSON, where a secret may have forms that masking does not know.
  if (toText === undefined && !hasParts) return normalizeResult(data);
  return { ...normalizeResult(redactor.named(value), toText), data };
}
