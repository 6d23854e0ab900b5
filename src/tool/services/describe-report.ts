import { countOf } from "../../shared/text/count-of.ts";
import type { AgentEndReason, AgentReport, BranchWork } from "./agents.ts";

/** What an agent said at its end, and what there is to know of it. */
export function describeReport({ id, text, reason, steps, calls, tokens, work }: AgentReport): string {
  const said = text.trim() === "" ? "(It said nothing at its end.)" : text;
  const early = endings[reason] === undefined ? [] : [`It did not get to its end: ${endings[reason]}.`];
  const effort = `${id}: ${countOf(steps, "step")}, ${countOf(calls, "call")}, ${countOf(tokens, "token")}`;
  return [said, "", ...early, `(${effort})`, ...(work === undefined ? [] : [describeWork(work)])].join("\n");
}

const endings: Partial<Record<AgentEndReason, string>> = {
  "max-steps": "it has used up its steps",
  budget: "the budget is spent",
  "stop-condition": "it was told to stop there",
  interrupted: "it was stopped",
  "cut-off": "its last answer was too long for its model",
  refused: "its model refused to go on",
  failed: "something went wrong",
};

const maxListedFiles = 30;

function describeWork({ branch, base, hasUncommitted, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "It changed no files.";
  const from = `${base.slice(0, 12)}${hasUncommitted ? " (HEAD and what was not committed then)" : ""}`;
  const listed = files.slice(0, maxListedFiles).map(({ path, change }) => `  ${change} ${path}`);
  const more = hasMoreFiles || files.length > maxListedFiles ? ["  …"] : [];
  return [`Its changes are on the branch ${branch}, which began at ${from}:`, ...listed, ...more].join("\n");
}
