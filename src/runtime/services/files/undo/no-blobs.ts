import { createHash } from "../../../../shared/crypto.ts";
import { hashFile } from "../tree/hash-file.ts";
import type { BlobStore } from "./blob-store.ts";

/** For who never brings anything back: hashes are told, and nothing is kept. */
export const noBlobs: BlobStore = {
  keepFile: async (path) => ({ hash: await hashFile(path), kept: false }),
  keepBytes: async (bytes, hash = createHash("sha256").update(bytes).digest("hex")) => ({
    hash,
    kept: false,
  }),
  read: async () => undefined,
  open: async () => undefined,
};
