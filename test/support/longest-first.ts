import type { TestSequencer, TestSpecification } from "vitest/node";

/** What takes long though its file is short, longest first: begun last, one of them would run on when all else is done. */
const long = [
  "conformance/client-conformance",
  "e2e/mcp-inspector",
  "e2e/mcp-",
  "runtime/worktrees/concurrent",
  "e2e/readme",
  "e2e/harmless-commands",
  "conformance/",
  "e2e/",
  "cli/commands/run",
  "runtime/worktrees/",
  "mcp/client/",
  "agent/sub-agents/",
  "cli/",
  "runtime/services/",
  "tools/shell/",
];

/** The same order wherever the tests run, whether they have run there before or not. */
export class LongestFirst implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted(
      (left, right) => rankOf(left) - rankOf(right) || (left.moduleId < right.moduleId ? -1 : 1),
    );
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = long.findIndex((part) => moduleId.includes(`/test/${part}`));
  return rank === -1 ? long.length : rank;
}
