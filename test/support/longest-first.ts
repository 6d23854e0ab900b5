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

/** What mostly waits, longest first: beside each other, they would leave the processor to nobody. */
const waiting = [
  "mcp/client/faults.",
  "runtime/services/processes/pty/pty-command.",
  "tools/shell/run.",
  "mcp/client/sign-in/sign-in.",
  "runtime/services/processes/supervisor.",
  "runtime/services/processes/command/process-tree.",
  "runtime/services/processes/jobs/restore-jobs.",
  "cli/commands/form.",
  "mcp/client/call/answer-elicitation.",
  "mcp/server/hostile-http.",
  "mcp/client/approvals.",
  "runtime/services/processes/jobs/open-jobs.",
  "runtime/policy/approved-commands.",
  "mcp/client/hostile.",
  "mcp/server/call/elicitation-form.",
  "cli/commands/question.",
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
