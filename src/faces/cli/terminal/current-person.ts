import { userInfo } from "node:os";
import type { Caller } from "../../../tool/caller.ts";

/** The user who runs the command, as the caller in receipts. */
export function currentPerson(): Caller {
  return { kind: "person", name: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user often has only a number.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
