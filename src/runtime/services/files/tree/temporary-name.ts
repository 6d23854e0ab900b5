import { randomBytes } from "../../../../shared/crypto.ts";

/** What a file is called until it is whole. One that is left over was being written when the machine or we stopped. */
export function temporaryName(): string {
  return `.toolwright-${randomBytes(12).toString("hex")}`;
}

export function isTemporaryName(name: string): boolean {
  return /^\.toolwright-[0-9a-f]{24}$/.test(name);
}
