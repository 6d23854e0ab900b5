import { countOf } from "../../shared/text/count-of.ts";
import { markAsMaterial } from "../../shared/text/mark-as-material.ts";
import { showLine } from "../../shared/text/mark-rows.ts";
import type { AgentEndReason, AgentReport, BranchWork } from "./agents.ts";

/** How an agent ended, in our words, and then its final message, which cannot pass for them. */
export function describeReport(report: AgentReport): string {
  const { id, text, reason, steps, calls, unapproved, tokens, work } = report;
  const early = endings[reason] === undefined ? [] : [`It did not finish: ${endings[reason]}.`];
  const effort = `${id}: ${countOf(steps, "step")}, ${countOf(calls, "call")}, ${countOf(tokens, "token")}`;
  const left = unapproved === undefined ? [] : [describeLeft(unapproved)];
  return [
    `(${effort})`,
    ...early,
    ...left,
    ...(work === undefined ? [] : [describeWork(work)]),
    ...(text.trim() === "" ? ["(No final message.)"] : ["Its final message:", markAsMaterial(text, "agent")]),
  ].join("\n");
}

const endings: Partial<Record<AgentEndReason, string>> = {
  "max-steps": "it used up its steps",
  budget: "the budget is used up",
  "stop-condition": "its stop condition was met",
  interrupted: "it was stopped",
  "cut-off": "its last answer was cut off at the model's output limit",
  refused: "its model refused to continue",
  failed: "something went wrong",
};

/** A reader of this line alone must learn why something was not done, and that it still can be. */
function describeLeft(count: number): string {
  const which = `${countOf(count, "call")} of it ${count === 1 ? "was" : "were"} not made`;
  return `${which}: approval is needed, and no person was there to ask. A person finds the calls that wait with \`toolwright approvals\`; once they are approved, give the agent the same task again.`;
}

const maxListedFiles = 30;

function describeWork({ branch, base, hasUncommitted, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "It changed no files.";
  const from = `${base.slice(0, 12)}${hasUncommitted ? " (HEAD and the uncommitted changes)" : ""}`;
  const listed = files.slice(0, maxListedFiles).map(({ path, change }) => `  ${change} ${showLine(path)}`);
  const more = hasMoreFiles || files.length > maxListedFiles ? ["  …"] : [];
  return [`Its changes are on the branch ${branch}, which starts at ${from}:`, ...listed, ...more].join("\n");
}
