import { openNameStart } from "./mask-named-values.ts";

export type StreamRedactor = ReturnType<typeof createStreamRedactor>;

/**
 * Masks a text that arrives in pieces; a secret may begin in one piece and end in another. `secrets` are the exact values
 * that `mask` knows. Other secrets are recognised by shape, and are single words.
 */
export function createStreamRedactor(mask: (text: string) => string, secrets: readonly string[]) {
  // Single words are always held back whole.
  const severalWords = secrets.filter((secret) => /[^\x21-\x7e]/.test(secret));
  let held = "";
  const take = (end: number): string => {
    const certain = mask(held.slice(0, end));
    held = held.slice(end);
    return certain;
  };
  return {
    /** Takes a piece and returns the text that is final by now; the rest is held back. */
    add(piece: string): string {
      held += piece;
      return take(beforeSecrets(held, severalWords, beforeKey(held, openWordStart(held))));
    },
    /** Returns the text held back, after the last piece. */
    finish: () => take(held.length),
  };
}

// Longer than any token; longer words are data, and holding them back would get ever slower.
const maxHeldWord = 16_384;

/** Start of the last word, including a `Bearer` or the name of a secret before it. */
function openWordStart(text: string): number {
  let start = wordStart(text, text.length);
  for (;;) {
    const before = text.endsWith("Bearer ", start) ? start - 1 : openNameStart(text.slice(0, start));
    if (before === undefined) return start;
    const earlier = wordStart(text, before);
    // Names upon names hold back no more than one long word does.
    if (text.length - earlier > maxHeldWord) return start;
    start = earlier;
  }
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxHeldWord && isWordCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isWordCharacter(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

// Many times longer than any private key. A longer text is not a key, and would be held back for ever.
const maxHeldKey = 65_536;

/** A private key has several lines, and is not complete before its last one. */
function beforeKey(text: string, end: number): number {
  const begin = text.lastIndexOf("-----BEGIN ");
  if (begin === -1 || begin >= end || end - begin > maxHeldKey) return end;
  const last = /-----END [A-Z ]*-----/g;
  last.lastIndex = begin;
  return last.exec(text) !== null && last.lastIndex <= end ? end : begin;
}

/** Repeated after each secret found, because another may be before it. */
function beforeSecrets(text: string, secrets: readonly string[], end: number): number {
  const found = secrets.reduce((earlier, secret) => beforeSecret(text, secret, earlier), end);
  return found === end ? end : beforeSecrets(text, secrets, found);
}

/** `end`, or the start of the secret if it spans `end` or may begin there. */
function beforeSecret(text: string, secret: string, end: number): number {
  for (let start = Math.max(0, end - secret.length + 1); start < end; start += 1) {
    const there = text.slice(start, start + secret.length);
    if (secret.startsWith(there)) return start;
  }
  return end;
}
