import { stderrMark } from "../../../shared/text/stderr-mark.ts";
import { nameUses } from "../../../tool/builtin/name-uses.ts";
import type { CommandOutcome } from "../../../tool/services/processes.ts";
import { describeReading, type Wording } from "../../../tool/wording.ts";

/** The tools that control a background job. */
export const jobTools = { shell_output: "read its output", shell_kill: "stop it" };

/** A command's outcome for the model: what it printed, then how it ended. */
export function describeCommand(outcome: CommandOutcome, wording: Wording): string {
  const printed = [outcome.stdout.replace(/\n$/, ""), markErrors(outcome.stderr)].filter(
    (text) => text !== "",
  );
  return [...printed, ...endLines(outcome, wording, printed.length === 0)].join("\n");
}

function markErrors(stderr: string): string {
  if (stderr === "") return "";
  return stderr
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${stderrMark}${line}`)
    .join("\n");
}

function endLines(outcome: CommandOutcome, wording: Wording, isSilent: boolean): string[] {
  const { exitCode, signal, job, elapsedMs, outputFile } = outcome;
  const lines: string[] = [];
  if (outputFile !== undefined) lines.push(describeOutputFile(outcome, wording));
  if (job !== undefined && job.state === "running") {
    lines.push(`It is still running in the background as ${job.id}${nameUses(jobTools, wording)}.`);
  } else if (signal !== null) lines.push(`Terminated by ${signal}.`);
  else if (exitCode !== 0 && exitCode !== null) lines.push(`Exit code ${exitCode}.`);
  else if (isSilent && outcome.endedBy === undefined) lines.push("Done; no output.");
  lines.push(...outcome.notes);
  if (elapsedMs > 5000) lines.push(`It took ${(elapsedMs / 1000).toFixed(1)} s.`);
  return lines;
}

/** After a search or a listing, a narrower command helps more than reading all of the output. */
function describeOutputFile(
  { outputFile, isFileCapped, omittedFrom, category }: CommandOutcome,
  wording: Wording,
): string {
  // Output that is neither shown nor behind a line of the file is binary, and cannot be read as text there.
  if (omittedFrom === undefined && !isFileCapped)
    return `The bytes are kept in ${outputFile}; to work with them, write them to a file in the workspace.`;
  const what = isFileCapped ? "The first part of the output" : "The full output";
  const isLookup = category === "search" || category === "list" || category === "read";
  const narrow = isLookup ? "narrow the command" : "";
  const reading = omittedFrom === undefined ? "" : describeReading(omittedFrom, wording);
  const advice = [narrow, reading].filter((part) => part !== "").join(", or ");
  return `${what} is in ${outputFile}${advice === "" ? "" : `; ${advice}`}.`;
}
