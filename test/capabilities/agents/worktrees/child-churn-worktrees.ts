import { rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";

// A process of its own that makes worktrees and finishes them, beside others that do the same.
const [workspace = "", parent = "", name = ""] = process.argv.slice(2);
for (let round = 0; round < 3; round++) {
  const worktree = await createWorktree({ workspace, folder: join(parent, `${name}${round}`) });
  await writeFile(join(worktree.root, "work"), `${name}${round}`);
  await Promise.all([1, 2].map(() => finishWorktree(worktree, { message: "What was done" })));
  await rmdir(parent).catch(() => {});
}
