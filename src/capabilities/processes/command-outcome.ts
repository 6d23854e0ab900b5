import { type Bounds, sensitiveNames } from "../../kernel/policy/index.ts";
import {
  describePlanted,
  type PlantedEntry,
  recognizeDenial,
  type SandboxStatus,
} from "../../machine/sandbox/index.ts";
import { DeadlineReached } from "../../shared/deadline.ts";
import { defined } from "../../shared/options/defined.ts";
import type { CommandOutcome, Job } from "../../tool/services/processes.ts";
import type { CommandEnd, FilePlace, KeptPart, RunningCommand } from "./command/running-command.ts";

type EndedBy = NonNullable<CommandOutcome["endedBy"]>;

interface OutcomeParts {
  readonly bounds: Bounds;
  readonly directory: string;
  readonly end?: CommandEnd;
  readonly notes?: readonly string[];
  readonly endedBy?: EndedBy | undefined;
  readonly job?: Job;
  readonly maxCharacters: number | undefined;
}

/** A command's outcome, as far as it has come. */
export function commandOutcome(running: RunningCommand, parts: OutcomeParts): CommandOutcome {
  const { bounds, directory, end, notes = [], endedBy, job, maxCharacters } = parts;
  const { stdout, stderr, file, isFileCapped } = running.output({
    maxCharacters,
    keep: keptOf(bounds.category),
  });
  const isCut = stdout.omittedBytes + stderr.omittedBytes > 0 || stdout.binary || stderr.binary;
  const omittedFrom = firstOf(stdout.omittedFrom, stderr.omittedFrom);
  return {
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    stdout: stdout.text,
    stderr: stderr.text,
    omitted: { stdout: stdout.omittedBytes, stderr: stderr.omittedBytes },
    elapsedMs: Math.round(end?.elapsedMs ?? 0),
    directory,
    notes,
    ...defined({ omittedFrom, category: bounds.category, endedBy, job }),
    ...(isCut && { outputFile: file, isFileCapped }),
  };
}

/** The end of a listing or of search results says nothing about the whole; that of a build or a log often says most. */
function keptOf(category: string | undefined): KeptPart {
  return category === "search" || category === "list" ? "head" : "head-and-tail";
}

function firstOf(one: FilePlace | undefined, other: FilePlace | undefined): FilePlace | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.line < one.line ? other : one;
}

/** What a caller has to know about the end of a command, besides its exit code. */
export function notesOnEnd({ leftOpen, planted }: CommandEnd): string[] {
  return [
    ...(leftOpen ? ["Processes it started are still running; their later output is not captured."] : []),
    ...(planted.length > 0
      ? [`${tellPlanted(planted)} Tell the user, who should look at it before using it.`]
      : []),
  ];
}

function tellPlanted(planted: readonly PlantedEntry[]): string {
  const told = planted.slice(0, maxTold).map(describePlanted).join(", ");
  const more = planted.length > maxTold ? ` and ${planted.length - maxTold} more` : "";
  return `It made or changed what may run as code later: ${told}${more}.`;
}

const maxTold = 10;

/** Tells what the sandbox has refused to a command that failed, and how the caller asks for that. */
export function notesOnDenial(
  running: RunningCommand,
  { exitCode }: CommandEnd,
  { sandbox, bounds }: { readonly sandbox: SandboxStatus; readonly bounds: Bounds },
): string[] {
  if (sandbox.kind === "none") return [];
  const failed = { exitCode, stderr: running.output().stderr.text };
  const denial = recognizeDenial(failed, bounds, sensitiveNames);
  return denial === undefined ? [] : [`${denial} If the command needs this, ${waysOut[bounds.profile]}.`];
}

const byPath = "name the path in the command itself, so that a person can be asked to approve it";

/** What can be asked for, by profile; no argument widens `network`. */
const waysOut: Record<Bounds["profile"], string> = {
  "read-only": "ask for more with the argument rights",
  "workspace-write": `ask for the network with the argument rights, or ${byPath}`,
  network: byPath,
};

/** Why a call has given up waiting for its command. */
export function reasonOf({ reason }: AbortSignal): EndedBy {
  return reason instanceof DeadlineReached ? "timeout" : "caller";
}
