import type { TestSequencer, TestSpecification } from "vitest/node";

/** What takes long though its file is short, longest first: begun last, one of them would run on when all else is done. */
const long = [
  "conformance/client-conformance",
  "e2e/mcp/inspector",
  "e2e/mcp/",
  "capabilities/agents/worktrees/concurrent",
  "e2e/documents/",
  "e2e/permissions/harmless-commands",
  "conformance/",
  "e2e/",
  "faces/cli/commands/run",
  "capabilities/agents/worktrees/",
  "capabilities/mcp-client/",
  "capabilities/agents/sub-agents/",
  "faces/cli/",
  "capabilities/",
  "capabilities/processes/tools/",
];

/** What mostly waits, longest first: beside each other, they would leave the processor to nobody. */
const waiting = [
  "capabilities/mcp-client/faults.",
  "capabilities/processes/pty/pty-command.",
  "capabilities/processes/tools/shell/run.",
  "capabilities/mcp-client/sign-in/sign-in.",
  "capabilities/processes/supervisor.",
  "machine/child/process-tree.",
  "capabilities/processes/jobs/restore-jobs.",
  "faces/cli/commands/form.",
  "capabilities/mcp-client/call/answer-elicitation.",
  "faces/mcp-server/hostile-http.",
  "capabilities/mcp-client/approvals.",
  "capabilities/processes/jobs/open-jobs.",
  "kernel/policy/approved-commands.",
  "capabilities/mcp-client/hostile.",
  "faces/mcp-server/call/elicitation-form.",
  "faces/cli/commands/question.",
];

/** The same order wherever the tests run, whether they have run there before or not. */
export class LongestFirst implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    const sorted = files.toSorted(
      (left, right) => rankOf(left, long) - rankOf(right, long) || (left.moduleId < right.moduleId ? -1 : 1),
    );
    const waits = sorted.filter((file) => rankOf(file, waiting) < waiting.length);
    const works = sorted.filter((file) => rankOf(file, waiting) === waiting.length);
    return spread(
      waits.toSorted((left, right) => rankOf(left, waiting) - rankOf(right, waiting)),
      works,
    );
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** The first ones among the others, as far from each other as there are others. */
function spread<File>(few: readonly File[], many: readonly File[]): File[] {
  const step = Math.max(1, Math.floor(many.length / (few.length + 1)));
  const mixed = many.flatMap((file, index) =>
    index % step === 0 ? [...few.slice(index / step, index / step + 1), file] : [file],
  );
  return [...mixed, ...few.slice(Math.ceil(many.length / step))];
}

function rankOf({ moduleId }: TestSpecification, parts: readonly string[]): number {
  const rank = parts.findIndex((part) => moduleId.includes(`/test/${part}`));
  return rank === -1 ? parts.length : rank;
}
