/** Node's own. An `import` of `node:crypto` also loads parts of it that nobody here uses, and every start waits for them. */
export const { createHash, hash, randomBytes, randomUUID, timingSafeEqual } =
  process.getBuiltinModule("node:crypto");
