import { secretForms } from "./redact.ts";

/**
 * Masks secrets in bytes that arrive in pieces; a secret may begin in one piece and end in another. It works on bytes,
 * because output need not be text. Each byte is one character here.
 */
export function createByteMask(secrets: readonly string[]) {
  const forms = secretForms(secrets).map((form) => Buffer.from(form, "utf8").toString("latin1"));
  let held = "";
  const mask = (text: string) => forms.reduce((masked, form) => masked.replaceAll(form, "[redacted]"), text);
  return {
    /** Returns the bytes that are final by now. */
    add(chunk: Buffer): Buffer {
      const text = mask(held + chunk.toString("latin1"));
      const keep = Math.max(0, ...forms.map((form) => openEnd(text, form)));
      held = text.slice(text.length - keep);
      return Buffer.from(text.slice(0, text.length - keep), "latin1");
    },
    finish(): Buffer {
      const rest = mask(held);
      held = "";
      return Buffer.from(rest, "latin1");
    },
  };
}

/** How many of the last characters may be the beginning of the form. */
function openEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}
