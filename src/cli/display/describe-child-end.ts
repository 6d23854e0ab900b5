import type { LoggedEventOf } from "../../runtime/events/session-event.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { AgentEndReason, BranchWork } from "../../tool/services/agents.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { shortenLine } from "./describe-call.ts";
import { formatDuration } from "./format-time.ts";

/** How an agent ended that was spawned, and what it took; where it had a worktree, below that its branch. */
export function describeChildEnd(
  { reason, problem, steps, calls, tokens, durationMs, work }: LoggedEventOf<"subagent-end">,
  style: CommandOutput["styleTalk"],
): string[] {
  const [mark, colour, words] = endings[reason];
  const why = problem === undefined ? words : `${words ?? "but"}: ${shortenLine(problem, maxProblem)}`;
  const effort = [countOf(steps, "step"), countOf(calls, "call"), countOf(tokens, "token")].join(", ");
  const took = `${effort}, ${formatDuration(durationMs)}`;
  return [
    `${style(colour, mark)} ${style("dim", why === undefined ? took : `${why} (${took})`)}`,
    ...(work === undefined ? [] : [style("dim", describeBranch(work))]),
  ];
}

type Ending = readonly [mark: string, colour: "green" | "red" | "yellow", words?: string];

const endings: Readonly<Record<AgentEndReason, Ending>> = {
  done: ["✓", "green"],
  failed: ["✗", "red", "failed"],
  refused: ["✗", "red", "its model refused to go on"],
  interrupted: ["■", "yellow", "stopped"],
  "max-steps": ["■", "yellow", "its steps are used up"],
  budget: ["■", "yellow", "the budget is spent"],
  "stop-condition": ["■", "yellow", "told to stop there"],
  "cut-off": ["■", "yellow", "its answer was cut off"],
};

const maxProblem = 200;

function describeBranch({ branch, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "it changed no files";
  const more = hasMoreFiles ? "more than " : "";
  return `branch ${escapeLine(branch)}: ${more}${countOf(files.length, "file")} changed`;
}
