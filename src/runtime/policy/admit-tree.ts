import type { Files } from "../../tool/services/files.ts";
import type { ResolvedCall } from "../pipeline/call.ts";
import { admitPath } from "./admit-path.ts";
import { findNamed, type TreeUse } from "./find-named.ts";

/** A folder is not let through as a whole where a rule, or the floor, speaks of something in it. */
export async function admitTree(call: ResolvedCall, files: Files, use: TreeUse): Promise<void> {
  for (const { action, path } of await findNamed(call, files, use)) await admitPath(call, action, path);
}
