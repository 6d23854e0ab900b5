import { sha256 } from "../../shared/sha256.ts";

/** What a receipt's hash is made of; verifying the chain makes it again. */
export function chainHash(previousHash: string, body: string): string {
  return sha256(`${previousHash}\n${body}`);
}
