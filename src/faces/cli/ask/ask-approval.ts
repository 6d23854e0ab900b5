import {
  type ApprovalDecision,
  type ApprovalFormat,
  type ApprovalRequest,
  decidedElsewhere,
  formatApproval,
} from "../../../kernel/people/index.ts";
import { actingCommands } from "../../../kernel/policy/index.ts";
import { CallerGaveUp } from "../../../shared/deadline.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { markRows, ownRows } from "../../../shared/text/mark-rows.ts";
import { formatDiff } from "../display/describe-call.ts";
import { screenColumns } from "../display/format-columns.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { isYes, readAnswer } from "./read-answer.ts";
import { areTooMany, showRows } from "./show-rows.ts";

export interface ApprovalView extends Pick<ApprovalFormat, "asking"> {
  /** Colours a diff of the changes that the call would make; without it, the diff is left out. */
  readonly style?: CommandOutput["style"];
  /** Called when the person presses Ctrl-C or Ctrl-D instead of answering, before the call is cancelled. */
  onLeave?(): Promise<void> | void;
}

/**
 * Shows on the terminal what a call would do and waits for an answer; anything but a clear yes is a no. Rejects with an
 * AbortError, which cancels the call, if the person leaves without one.
 */
export async function askApproval(
  request: ApprovalRequest,
  signal: AbortSignal,
  { style, asking, onLeave }: ApprovalView = {},
): Promise<ApprovalDecision> {
  const columns = screenColumns();
  const rows = formatApproval(request, { columns, asking }).split("\n").slice(0, -1);
  if (style !== undefined)
    rows.push(...formatDiff(request.preview ?? "", style, { maxColumns: columns - 1 }));
  const by = currentPerson().name;
  const leave = async (): Promise<never> => {
    // If the request was decided elsewhere, the person has not left it.
    if (!signal.aborted) await onLeave?.();
    if (signal.reason === decidedElsewhere) process.stderr.write("(it was decided elsewhere)\n");
    throw new CallerGaveUp(new Error("the person at the terminal left without an answer"));
  };
  const shownAs = await showRows(rows, signal);
  if (shownAs === "refused") return { decision: "deny", by };
  const answer =
    (shownAs === "left" ? undefined : await askLast(request, rows, { signal, asking })) ?? (await leave());
  const decided = readDecision(answer, request);
  if (decided.lasts === "always" && !((await confirmAlways(request, signal)) ?? (await leave())))
    return { decision: "deny", by };
  return { ...decided, by };
}

/** Reads a typed answer. Anything but a clear yes is a no, and the other words are its reason. */
export function readDecision(typed: string, { rules }: Pick<ApprovalRequest, "rules">): ApprovalDecision {
  const answer = typed.trim();
  if (isYes(answer)) return { decision: "allow" };
  if (rules !== undefined && /^(?:s|session)$/i.test(answer)) return { decision: "allow", lasts: "session" };
  if (rules !== undefined && /^(?:a|always)$/i.test(answer)) return { decision: "allow", lasts: "always" };
  if (/^(?:q|quit|stop)$/i.test(answer)) return { decision: "deny", stop: true };
  const note = answer.replace(/^(?:no?\b)[\s,:;.-]*(?:because\b)?\s*/i, "");
  // One letter is a slip of the finger, not a reason.
  return note.length > 1 ? { decision: "deny", note } : { decision: "deny" };
}

function choicesFor({ rules }: ApprovalRequest): string[] {
  const longer = rules === undefined ? "" : ", s for this session, a always";
  return [`y once${longer}`, "n no, q no and stop, or type why not"];
}

async function confirmAlways(
  { rules = [] }: ApprovalRequest,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const shown = rules.flatMap((rule) => markRows(rule, screenColumns()));
  process.stderr.write(
    `This would be among your own rules for this project from now on:\n${shown.join("\n")}\n`,
  );
  const answer = await readAnswer("Store it? [y/N] ", signal);
  return answer === undefined ? undefined : isYes(answer);
}

async function askLast(
  request: ApprovalRequest,
  rows: readonly string[],
  { signal, asking }: { signal: AbortSignal } & Pick<ApprovalFormat, "asking">,
): Promise<string | undefined> {
  process.stderr.write(`${[...remind(request, rows, asking), ...choicesFor(request)].join("\n")}\n`);
  return readAnswer("Allow it? [y/N] ", signal);
}

/** After a long request, repeats who asks and which commands act: its first rows have scrolled off the screen. */
function remind(
  { tool, verdict }: ApprovalRequest,
  rows: readonly string[],
  asking: ApprovalView["asking"],
): string[] {
  if (!areTooMany(rows)) return [];
  const of = asking === undefined ? "" : ` of ${asking.name}`;
  const acting = verdict.commands?.length === 1 ? [] : actingCommands(verdict.commands);
  const some = acting.slice(0, maxReminded).flatMap(({ text }) => markRows(text, screenColumns()));
  const more = acting.length > maxReminded ? [`  … and ${acting.length - maxReminded} more`] : [];
  const above = ownRows(
    `This request for ${escapeLine(tool)}${of} starts ${rows.length} lines above.`,
    screenColumns(),
  );
  if (some.length === 0) return above;
  return [...above, "It needs approval because of:", ...some.slice(0, maxRemindedRows), ...more];
}

const maxReminded = 3;
const maxRemindedRows = 12;
