import type { BigIntStats } from "node:fs";
import type { Owner } from "../undo/file-change.ts";

/** Who owns it, where that is somebody else than a new file's owner would be. */
export function ownerOf({ uid, gid }: BigIntStats): { readonly owner?: Owner } {
  const isOwn = Number(uid) === process.geteuid?.() && Number(gid) === process.getegid?.();
  return isOwn || process.geteuid === undefined ? {} : { owner: { uid: Number(uid), gid: Number(gid) } };
}
