import { sha256 } from "../../shared/sha256.ts";

/** A receipt's hash; `verifyChain` recomputes it. */
export function chainHash(previousHash: string, body: string): string {
  return sha256(`${previousHash}\n${body}`);
}
