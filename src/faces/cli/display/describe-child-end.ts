import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { AgentEndReason, BranchWork } from "../../../tool/services/agents.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { shortenLine } from "./describe-call.ts";
import { formatDuration } from "./format-time.ts";

/** How a sub-agent ended and what it used; if it had a worktree, its branch on a second line. */
export function describeChildEnd(
  { reason, problem, steps, calls, tokens, durationMs, work }: LoggedEventOf<"subagent-end">,
  style: CommandOutput["styleMessage"],
): string[] {
  const [mark, colour, words] = endings[reason];
  const why =
    problem === undefined ? words : `${words ?? "done, with a problem"}: ${shortenLine(problem, maxProblem)}`;
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
  refused: ["✗", "red", "the model refused to continue"],
  interrupted: ["■", "yellow", "stopped"],
  "max-steps": ["■", "yellow", "reached its step limit"],
  budget: ["■", "yellow", "the budget is used up"],
  "stop-condition": ["■", "yellow", "met its stop condition"],
  "cut-off": ["■", "yellow", "its answer was cut off"],
};

const maxProblem = 200;

function describeBranch({ branch, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "no files changed";
  const more = hasMoreFiles ? "more than " : "";
  return `branch ${escapeLine(branch)}: ${more}${countOf(files.length, "file")} changed`;
}
