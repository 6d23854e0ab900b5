import { escapeControls } from "../../../shared/text/escape-controls.ts";

/**
 * Makes a text printable, but keeps joiners and special spaces, which some languages and emoji need: no decision is based
 * on it.
 */
export function showWords(text: string): string {
  return text.replace(/[^\u00a0\u2009\u200c-\u200d\u202f\u3000]+/gu, (part) => escapeControls(part));
}
