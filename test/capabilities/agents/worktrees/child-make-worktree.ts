import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";

// A process of its own that makes a worktree, to be killed.
const [workspace = "", folder = ""] = process.argv.slice(2);
await createWorktree({ workspace, folder });
