import { sha256 } from "../../../shared/crypto.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { type DecisionInput, loopGuard } from "../../policy/index.ts";
import type { Call, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { withNote } from "../input/note-conversions.ts";
import { recordInput } from "../journal.ts";
import type { Stage } from "../stages/stage.ts";

/** Keeps a model from going round in circles. */
export const loops: Stage = { rule: loopRuling, approved: forgiveLoop, after: noteLoop };

/** The same call has given the same result so often that a person should know before it is made again. */
function loopRuling(call: ResolvedCall): DecisionInput["hook"] {
  const watch = call.host.stages.loops;
  const { askAt } = watch.limits;
  if (askAt === 0 || !isWatched(call)) return undefined;
  const times = watch.countOf(keyOf(call));
  if (times === 0 || times + 1 < askAt) return undefined;
  call.isLooping = true;
  const reason = `the same call has given the same result ${countOf(times, "time")} in a row`;
  return { decision: "ask", reason, decidedBy: loopGuard };
}

/** A person has seen that it repeats itself and wants it all the same. */
function forgiveLoop(call: ResolvedCall): void {
  if (isWatched(call)) call.host.stages.loops.forgive(keyOf(call));
}

/** Counts the result, and tells a model that has had the same one before. */
function noteLoop(call: Call, outcome: CallOutcome): CallOutcome {
  // A refusal to go on is not a new result, after which the counting would start over.
  if (!isWatched(call) || (call.isLooping && outcome.status === "denied")) return outcome;
  const watch = call.host.stages.loops;
  const { warnAt } = watch.limits;
  const isActing = outcome.status === "done" && !readingClasses.has(call.verdict?.permissionClass ?? "read");
  const times = watch.note(keyOf(call), {
    result: sha256(outcome.text),
    isActing,
    begunAt: call.begunAt,
  });
  if (warnAt === 0 || times < warnAt) return outcome;
  return withNote(
    call,
    outcome,
    `Note: this is the same result of the same call for the ${ordinal(times)} time, and making it again is unlikely to change that. Use what you have, try something else, or say what keeps you from going on.`,
  );
}

const readingClasses: ReadonlySet<string> = new Set(["read", "interact"]);

/** A program may repeat a call as often as it likes, and some calls are made to wait for something. */
function isWatched({ caller, resolved, request }: Call): boolean {
  const isModel = caller.kind === "agent" || caller.kind === "mcp";
  return isModel && resolved !== undefined && !resolved.entry.tool.traits.polls && !request.isDryRun;
}

function keyOf(call: Call): string {
  return `${call.resolved!.entry.name} ${recordInput(call).inputHash}`;
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}
