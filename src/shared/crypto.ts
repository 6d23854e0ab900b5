/** Node's crypto. An `import` of `node:crypto` would also load its unused parts, which slows down every start. */
export const { createHash, hash, randomBytes, randomUUID, timingSafeEqual } =
  process.getBuiltinModule("node:crypto");

export function sha256(text: string): string {
  return hash("sha256", text);
}

/**
 * The part of a hash that people are shown and decide by. It is long enough that an attacker who chooses two contents
 * cannot make both show the same.
 */
export function shownHash(hash: string): string {
  return hash.slice(0, 32);
}
