import { countOf } from "../../shared/text/count-of.ts";
import { showLine } from "../../shared/text/mark-rows.ts";
import type { AgentEndReason, AgentReport, BranchWork } from "./agents.ts";

/** An agent's final message, and how it ended. */
export function describeReport({ id, text, reason, steps, calls, tokens, work }: AgentReport): string {
  const said = text.trim() === "" ? "(No final message.)" : text;
  const early = endings[reason] === undefined ? [] : [`It did not finish: ${endings[reason]}.`];
  const effort = `${id}: ${countOf(steps, "step")}, ${countOf(calls, "call")}, ${countOf(tokens, "token")}`;
  return [said, "", ...early, `(${effort})`, ...(work === undefined ? [] : [describeWork(work)])].join("\n");
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

const maxListedFiles = 30;

function describeWork({ branch, base, hasUncommitted, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "It changed no files.";
  const from = `${base.slice(0, 12)}${hasUncommitted ? " (HEAD and the uncommitted changes)" : ""}`;
  const listed = files.slice(0, maxListedFiles).map(({ path, change }) => `  ${change} ${showLine(path)}`);
  const more = hasMoreFiles || files.length > maxListedFiles ? ["  …"] : [];
  return [`Its changes are on the branch ${branch}, which starts at ${from}:`, ...listed, ...more].join("\n");
}
