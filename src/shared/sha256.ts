import { hash } from "./crypto.ts";

export function sha256(text: string): string {
  return hash("sha256", text);
}

/**
 * As much of a hash as people are shown and decide by: so many characters that nobody finds two things that are shown alike,
 * though whoever made them could choose both.
 */
export function shownHash(hash: string): string {
  return hash.slice(0, 32);
}
