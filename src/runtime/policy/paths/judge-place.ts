import { resolve as resolvePath } from "node:path";
import type { Places } from "../../../open-places.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { JudgedRequest } from "../decide.ts";

/** Where a path leads and what the floor says of it, in the words that permission rules use. */
export async function judgePath(
  { workspace, stateFolder, outputs }: Pick<Places, "workspace" | "stateFolder" | "outputs">,
  path: string,
  { action, followLast }: { action: "read" | "write"; followLast: boolean },
): Promise<Pick<JudgedRequest, "path" | "floor">> {
  const { resolved, floor } = await workspace.judge(path, action, { followLast });
  const { canonical, relative } = resolved;
  const written = resolvePath(workspace.root, path);
  const paths = {
    real: { absolute: canonical, relative },
    written: { absolute: written, relative: relativeInside(workspace.root, written) },
    isInside: resolved.inside,
  };
  // The state folder may lie inside a workspace such as the home folder; what we keep there is still not for tools.
  // Who moves or deletes a folder above it would take it along.
  const isAboveState =
    action === "write" &&
    resolved.inside &&
    relative !== "." &&
    relativeInside(canonical, stateFolder) !== undefined;
  const isOwnState = isAboveState || relativeInside(stateFolder, canonical) !== undefined;
  const isKeptOutput = action === "read" && relativeInside(outputs.path, canonical) !== undefined;
  if (isOwnState && !isKeptOutput) {
    return {
      path: paths,
      floor: { decision: "deny", reason: `${path} belongs to Toolwright's own records` },
    };
  }
  return { path: paths, ...(floor && { floor }) };
}
