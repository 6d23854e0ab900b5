import { readSessionTitle } from "../../../../capabilities/agents/transcript/session-title.ts";
import type { SessionRecord } from "../../../../kernel/store/index.ts";
import type { Runtime } from "../../../../open-runtime.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { formatTime } from "../../display/format-time.ts";
import type { Talk } from "../talk.ts";

/** Lets the person choose a conversation of this workspace by its title; undefined if they choose none. */
export async function chooseSession({
  runtime,
  view,
}: Pick<Talk, "runtime" | "view">): Promise<string | undefined> {
  const latest = (await sessionsHere(runtime)).slice(0, maxListed);
  const found = await Promise.all(
    latest.map(async ({ id, openedAt, calls }) => {
      const title = await readSessionTitle(runtime, id);
      const about = `${formatTime(openedAt).replace(/:\d\dZ$/, "Z")}, ${countOf(calls, "call")}`;
      // A session without a message or a call cannot be continued.
      return title === undefined && calls === 0 ? [] : [{ value: id, label: title ?? id, about }];
    }),
  );
  const choices = found.flat();
  if (choices.length > 0) return view.choose("Which session?", choices);
  view.tell("no sessions yet");
  return undefined;
}

const maxListed = 100;

/** The sessions of the runtime's workspace, without those of sub-agents; the latest first. */
export async function sessionsHere(runtime: Runtime): Promise<readonly SessionRecord[]> {
  const sessions = (await runtime.sessions()).filter(
    ({ parent, workspace }) => parent === undefined && workspace === runtime.workspace,
  );
  return sessions.toSorted(({ openedAt: one }, { openedAt: other }) =>
    one < other ? 1 : -Number(one > other),
  );
}
