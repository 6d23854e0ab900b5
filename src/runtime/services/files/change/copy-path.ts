import type { Changing } from "./changing.ts";
import { copyTree } from "./copy-tree.ts";
import { type Replacement, refuseReplacement, replacePath } from "./replace-path.ts";

export async function copyPath(paths: Replacement, changing: Changing): Promise<void> {
  await refuseReplacement(paths, changing);
  await replacePath(paths, () => copyTree(paths.from, paths.to, changing), changing);
}
