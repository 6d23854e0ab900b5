/** Node's crypto. An `import` of `node:crypto` would also load its unused parts, which slows down every start. */
export const { createHash, hash, randomBytes, randomUUID, timingSafeEqual } =
  process.getBuiltinModule("node:crypto");
