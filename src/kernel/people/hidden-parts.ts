import { redactedMark } from "../../shared/secrets/redact.ts";

/**
 * Whether masking has taken more out of a text than plain values: a program can be put where a secret would be, and nobody
 * can approve what they do not see.
 */
export function mayHideWhatActs(whole: string, shown: string): boolean {
  const [first = "", ...others] = shown.split(redactedMark);
  if (!whole.startsWith(first)) return true;
  let at = first.length;
  for (const [index, next] of others.entries()) {
    const isLast = index === others.length - 1;
    const end = isLast ? whole.length - next.length : whole.indexOf(next, at);
    if (end < at || !whole.startsWith(next, end)) return true;
    if (!plainValue.test(whole.slice(at, end))) return true;
    at = end + next.length;
  }
  return false;
}

/** Nothing of it ends a word or a text in any language. */
const plainValue = /^[^\s"'`\\;|&<>$(){}]*$/;
