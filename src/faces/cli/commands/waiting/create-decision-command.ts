import { isDeepStrictEqual } from "node:util";
import type { ApprovalRequest, WaitingAnswer, WaitingItem } from "../../../../kernel/people/index.ts";
import type { Runtime } from "../../../../open-runtime.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { confirmTrust } from "../../ask/confirm.ts";
import { isAttended } from "../../ask/is-attended.ts";
import { showRows } from "../../ask/show-rows.ts";
import { type Command, exitCodes, type Invocation, UsageError } from "../../command.ts";
import { screenColumns } from "../../display/format-columns.ts";
import type { FlagValues } from "../../flags.ts";
import { asUsage } from "../../open/as-usage.ts";
import { withApprovals } from "../../open/with-runtime.ts";
import { describeWaiting } from "./approvals.ts";

/** Makes the commands `approve` and `deny`, which decide on an entry of `toolwright approvals`. */
export function createDecisionCommand(verb: "approve" | "deny"): Command {
  const isApproval = verb === "approve";
  const done = isApproval ? "approved" : "denied";
  return {
    usage: isApproval ? "<id>" : '<id> ["<reason>"]',
    arguments: [1, isApproval ? 1 : 2],
    flags: isApproval ? ["for-session", "always", "all-like", "yes"] : ["stop", "all-like", "yes"],
    isForPerson: true,
    example: isApproval ? "mcp:github" : 'call:approval_mwhh8ll2baa401025333 "use the staging server"',
    note: `The id comes from \`toolwright approvals\`: call:<id>, ${isApproval ? "" : "question:<id>, "}mcp:<server>, mcp:<server>/<tool> or tool:<name>. With its @ part, the decision applies only to the version that was shown; without it, to the current one.
${isApproval ? approvalNote : denialNote}`,

    async run(invocation) {
      const [id = ""] = invocation.arguments;
      const answer = answerFrom(invocation);
      const decided = await asUsage(() =>
        withApprovals(invocation.flags, async (runtime) => {
          const items = await findItems(runtime, id, invocation.flags);
          if (!(await confirm(items, answer, invocation))) return undefined;
          for (const item of items)
            await runtime.approvals.decide(item.id, isApproval ? "allow" : "deny", answer);
          return items.map((item) => item.id);
        }),
      );
      const { flags, output } = invocation;
      if (decided === undefined) {
        await output.tell("nothing was decided: answer y at a terminal, or add --yes");
        return exitCodes.denied;
      }
      for (const each of decided) {
        if (flags.json) await output.writeJson({ id: each, decision: done });
        else await output.tell(`${escapeLine(each)} is ${done}`);
      }
    },
  };
}

const approvalNote = `The command shows the entry first, and asks if it runs at a terminal; --yes leaves the question out. A call is approved once.
--for-session approves calls like it until the session ends, --always also in later sessions of this project: the rule is
shown first, and stored with your own configuration, not in the project. --all-like also approves the other calls of that
tool by the same caller and its sub-agents that wait, after showing them.`;
const denialNote =
  "The model reads the reason. A question is declined: its tool gets no answer. --stop also ends the run of the agent. --all-like also denies the other calls of that tool by the same caller and its sub-agents that wait, after showing them.";

function answerFrom({ flags, arguments: [, note] }: Invocation): WaitingAnswer {
  if (flags["for-session"] && flags.always)
    throw new UsageError("--for-session and --always exclude each other; give only one");
  const lasts = flags["for-session"] ? "session" : flags.always ? "always" : undefined;
  return defined({ lasts, stop: flags.stop, note });
}

/** An entry to decide on, with its text if it has to be shown. */
type DecidedItem = Pick<WaitingItem, "id"> | WaitingItem;

async function findItems(
  { approvals }: Runtime,
  id: string,
  flags: FlagValues,
): Promise<readonly DecidedItem[]> {
  const [isLasting, isForAll] = [flags.always === true, flags["all-like"] === true];
  const waiting = await approvals.list({ columns: screenColumns() });
  const meant = findMeant(waiting, id);
  if (meant === undefined && !isLasting && !isForAll) return [{ id }];
  if (meant === undefined)
    throw new UsageError(`nothing waits as ${id}; \`toolwright approvals\` lists what does`);
  const { call } = meant;
  if (!isForAll || call === undefined) return [meant];
  return waiting.filter((item) => item.call !== undefined && isLike(item.call, call));
}

/** Whether two calls are alike. A sub-agent has its own name, and counts as the agent that it works for. */
function isLike(one: ApprovalRequest, other: ApprovalRequest): boolean {
  const [its, others] = [one, other].map(({ caller }) => caller.onBehalfOf ?? caller);
  return one.tool === other.tool && isDeepStrictEqual(its, others);
}

/**
 * Shows every entry before it is decided: a model may have told the person which id to give. A decision that holds for good,
 * or for several entries, always has to be confirmed; one on a single call, only if a person can be asked.
 */
async function confirm(
  items: readonly DecidedItem[],
  { lasts }: WaitingAnswer,
  { flags, output }: Invocation,
): Promise<boolean> {
  const shown = items.filter((item): item is WaitingItem => "text" in item);
  if (shown.length === 0) return true;
  const text = shown.map((item) => describeWaiting(item, screenColumns())).join("\n");
  const isShownInParts = !flags.yes && (await isAttended());
  if (!isShownInParts) await output.tell(text);
  else {
    const rows = text.trimEnd().split("\n");
    if ((await showRows(rows)) !== "shown") return false;
  }
  if (flags.yes) return true;
  if (lasts === "always") return confirmTrust("Allow this from now on in this project?");
  if (shown.length > 1 || flags["all-like"]) return confirmTrust(`Decide on ${shown.length}?`);
  return isShownInParts ? confirmTrust("Decide on this?") : true;
}

/**
 * The entry that a person means by an id: without its @ part, the present version. A server may call a tool `read@all`,
 * which is not a version of its tool `read`.
 */
export function findMeant<Item extends Pick<WaitingItem, "id">>(
  waiting: readonly Item[],
  id: string,
): Item | undefined {
  const isVersionOf = (versioned: string) =>
    versioned.startsWith(`${id}@`) && /^[0-9a-f]+$/.test(versioned.slice(id.length + 1));
  return waiting.find((item) => item.id === id) ?? waiting.find((item) => isVersionOf(item.id));
}
