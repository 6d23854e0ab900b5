/** Node's crypto. An `import` of `node:crypto` would also load its unused parts, which slows down every start. */
const crypto = process.getBuiltinModule("node:crypto");

export const { createHash, randomBytes, randomUUID, timingSafeEqual } = crypto;

export function sha256(text: string): string {
  return crypto.hash("sha256", text);
}

/**
 * The part of a hash that people are shown and decide by. It is long enough that an attacker who chooses two contents
 * cannot make both show the same.
 */
export function shownHash(hash: string): string {
  return hash.slice(0, 32);
}
