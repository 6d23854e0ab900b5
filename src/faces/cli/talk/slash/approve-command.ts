import { describeThrown } from "../../../../shared/text/describe-thrown.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import type { SlashCommand, Talk } from "../talk.ts";
import type { ElsewhereItem } from "../waiting-elsewhere.ts";

export const approveCommand: SlashCommand = {
  name: "approve",
  about: "Decide on calls of other sessions that wait, and answer their questions",
  isForAnyTime: true,
  async run(talk) {
    const { view, elsewhere } = talk;
    const waiting = await elsewhere.list();
    if (waiting.length === 0) return view.tell("nothing waits for a decision");
    for (const item of waiting) {
      const outcome = await decideOn(talk, item);
      if (outcome !== "left") continue;
      const { length } = await elsewhere.list();
      return view.tell(`${length} left undecided`);
    }
  },
};

/** `left` means that the person wants to decide later, and the request still waits. */
type Outcome = "decided" | "left";

async function decideOn(talk: Talk, item: ElsewhereItem): Promise<Outcome> {
  const { view, elsewhere } = talk;
  const gone = elsewhere.whenGone(item.id);
  try {
    return await askAbout(talk, item, gone);
  } catch (error) {
    if (!gone.aborted && hasLeft(error)) return "left";
    // Another process was faster: the next call can be decided all the same.
    view.tell(gone.aborted ? "it does not wait any more" : describeThrown(error), "problem");
    return "decided";
  }
}

function hasLeft(error: unknown): boolean {
  if (error instanceof ToolError) return error.code === "nobody-to-ask";
  return error instanceof Error && error.name === "AbortError";
}

async function askAbout(
  { view, runtime: { approvals } }: Talk,
  { id, title, text, call, question, asking }: ElsewhereItem,
  gone: AbortSignal,
): Promise<Outcome> {
  if (question !== undefined) {
    view.tell(`${asking.name}:`);
    await approvals.answer(id, await view.onQuestion(question.question, gone, question));
    return "decided";
  }
  if (call === undefined) {
    const isAllowed = await view.confirm(`${escapeLine(title)}\n${text}`, "Allow it?");
    if (isAllowed === undefined) return "left";
    await approvals.decide(id, isAllowed ? "allow" : "deny");
    return "decided";
  }
  const { decision, by: _person, ...details } = await view.decide(call, asking, gone);
  gone.throwIfAborted();
  await approvals.decide(id, decision, details);
  return "decided";
}
