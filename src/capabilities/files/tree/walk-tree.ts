import { join } from "node:path";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Tree } from "./tree.ts";

export interface TreePlace {
  readonly path: string;
  readonly kind: "file" | "directory" | "link";
  readonly mode: number;
  readonly stamp: string;
}

/** A path and everything in it, each folder before its content. Does not follow links; throws on special files. */
export async function walkTree(
  tree: Pick<Tree, "look" | "entries">,
  top: string,
  signal: AbortSignal,
): Promise<TreePlace[]> {
  const places: TreePlace[] = [];
  const visit = async (path: string): Promise<void> => {
    signal.throwIfAborted();
    const { kind, mode, stamp } = await tree.look(path);
    if (kind === "missing") throw new ToolError("not-found", `${path} does not exist`);
    if (kind === "special") {
      throw new ToolError("not-a-file", `${path} is a device, pipe or socket, which undo could not restore`);
    }
    places.push({ path, kind, mode, stamp });
    if (kind !== "directory") return;
    for (const { name } of await tree.entries(path, Number.POSITIVE_INFINITY)) await visit(join(path, name));
  };
  await visit(top);
  return places;
}
