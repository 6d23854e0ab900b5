/** Masks a text that comes in pieces, where a secret may begin in one piece and end in another. */
export interface StreamRedactor {
  /** Takes a piece and gives what is certain by now; the rest is held back. */
  add(piece: string): string;
  /** What was held back, when no more comes. */
  finish(): string;
}

/** `secrets` are the exact values that `mask` knows; other secrets it knows by their look, and those are single words. */
export function createStreamRedactor(
  mask: (text: string) => string,
  secrets: readonly string[],
): StreamRedactor {
  // A word is held back whole in any case.
  const severalWords = secrets.filter((secret) => /[^\x21-\x7e]/.test(secret));
  let held = "";
  const take = (end: number): string => {
    const certain = mask(held.slice(0, end));
    held = held.slice(end);
    return certain;
  };
  return {
    add(piece) {
      held += piece;
      return take(beforeSecrets(held, severalWords, beforeKey(held, openWordStart(held))));
    },
    finish: () => take(held.length),
  };
}

// Longer than any token; what is longer is data, and holding it back would take ever longer.
const maxHeldWord = 16_384;

/** Where the last word begins, with what announces a token before it. */
function openWordStart(text: string): number {
  let start = wordStart(text, text.length);
  while (text.endsWith("Bearer ", start)) start = wordStart(text, start - 1);
  return start;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxHeldWord && isWordCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isWordCharacter(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** A private key is of several lines, and is not over before its last one. */
function beforeKey(text: string, end: number): number {
  const begin = text.lastIndexOf("-----BEGIN ");
  if (begin === -1 || begin >= end) return end;
  const last = /-----END [A-Z ]*-----/g;
  last.lastIndex = begin;
  return last.exec(text) !== null && last.lastIndex <= end ? end : begin;
}

/** Again after each: before one of them there may be another. */
function beforeSecrets(text: string, secrets: readonly string[], end: number): number {
  const found = secrets.reduce((earlier, secret) => beforeSecret(text, secret, earlier), end);
  return found === end ? end : beforeSecrets(text, secrets, found);
}

/** Before the end, and before the secret where that lies across the end or may begin there. */
function beforeSecret(text: string, secret: string, end: number): number {
  for (let start = Math.max(0, end - secret.length + 1); start < end; start += 1) {
    const there = text.slice(start, start + secret.length);
    if (secret.startsWith(there)) return start;
  }
  return end;
}
