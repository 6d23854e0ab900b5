import { userInfo } from "node:os";
import type { Caller } from "../../tool/caller.ts";

/** Whoever runs the command, for the record of who asked. */
export function currentPerson(): Caller {
  return { kind: "person", name: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user often has a number and no name.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
