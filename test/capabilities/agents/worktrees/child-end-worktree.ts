import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";

// A process of its own that finishes a worktree, to be killed.
const [worktree = ""] = process.argv.slice(2);
await finishWorktree(JSON.parse(worktree), { message: "What was done" });
