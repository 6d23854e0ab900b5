import { randomBytes } from "../../../shared/crypto.ts";

/** Name of a file until it is complete. A leftover one was being written when the process or the machine stopped. */
export function temporaryName(): string {
  return `.toolwright-${randomBytes(12).toString("hex")}`;
}

export function isTemporaryName(name: string): boolean {
  return /^\.toolwright-[0-9a-f]{24}$/.test(name);
}
