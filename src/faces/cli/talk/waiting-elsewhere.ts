import { setTimeout } from "node:timers/promises";
import type { WaitingItem } from "../../../kernel/people/index.ts";
import type { SessionRecord } from "../../../kernel/store/index.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { quotedAgent } from "../../../tool/caller.ts";
import type { TalkParts } from "./talk-view.ts";

export type WaitingElsewhere = ReturnType<typeof watchElsewhere>;

export interface ElsewhereItem extends WaitingItem {
  /** The session or sub-agent that asks, in our words. */
  readonly asking: { readonly name: string; readonly task?: string };
}

/** Watches the requests of other sessions that wait for a person: each is told once, counted, and decided here. */
export function watchElsewhere({ runtime, view, sessionNow, onChange }: TalkParts) {
  const closing = new AbortController();
  const gone = new Map<string, AbortController>();
  let known = new Set<string>();
  const list = async (): Promise<readonly ElsewhereItem[]> => {
    const waiting = await runtime.approvals.list();
    if (waiting.length === 0) return [];
    const sessions = new Map((await runtime.sessions()).map((record) => [record.id, record]));
    const own = sessionNow().id;
    return waiting.flatMap((item) => {
      const line = ancestry(item, sessions);
      if (line.some(({ id }) => id === own)) return [];
      return [{ ...item, asking: describeAsking(line, runtime.workspace) ?? { name: item.title } }];
    });
  };
  const look = async (): Promise<void> => {
    const waiting = await list();
    const ids = new Set(waiting.map(({ id }) => id));
    for (const [id, controller] of gone) if (!ids.has(id)) controller.abort();
    for (const item of waiting) if (!known.has(item.id)) view.tell(`${describe(item)}; /approve decides`);
    const isChanged = ids.size !== known.size;
    known = ids;
    if (isChanged) onChange();
  };
  const watch = async (): Promise<void> => {
    const { signal } = closing;
    for await (const { sessionIds } of runtime.watch({ signal })) {
      const isOwn = sessionIds.length > 0 && sessionIds.every((id) => id === sessionNow().id);
      if (!isOwn) await look();
      // Calls that came meanwhile are told together: a person does not read faster.
      await setTimeout(lookMs, undefined, { signal }).catch(() => {});
    }
  };
  watch().catch((error: unknown) => {
    if (!closing.signal.aborted) view.tell(describeThrown(error), "problem");
  });
  return {
    get count() {
      return known.size;
    },
    list,
    /** A signal that aborts when the request waits no longer. */
    whenGone(id: string): AbortSignal {
      const controller = new AbortController();
      gone.set(id, controller);
      return controller.signal;
    },
    close: () => closing.abort(),
  };
}

const lookMs = 200;

/** The session that asks and those above it; empty for a request that belongs to no session. */
function ancestry(
  { call, question }: WaitingItem,
  sessions: ReadonlyMap<string, SessionRecord>,
): readonly SessionRecord[] {
  const line: SessionRecord[] = [];
  let id = (call ?? question)?.sessionId;
  for (let record = sessions.get(id ?? ""); record !== undefined; record = sessions.get(id ?? "")) {
    if (line.includes(record)) break;
    line.push(record);
    id = record.parent?.sessionId;
  }
  return line;
}

function describeAsking(
  line: readonly SessionRecord[],
  workspace: string,
): ElsewhereItem["asking"] | undefined {
  const [asking] = line;
  const root = line.at(-1);
  if (asking === undefined || root === undefined) return undefined;
  const session = `session ${escapeLine(root.id)}`;
  const place = root.workspace === workspace ? session : `${session} in ${escapeLine(root.workspace)}`;
  if (asking.parent === undefined) return { name: place.replace(/^s/, "S") };
  return { name: `${quotedAgent(asking.parent.agentId)} of ${place}`, task: asking.parent.title };
}

function describe({ asking, call, question }: ElsewhereItem): string {
  if (call !== undefined) return `${asking.name} waits for a decision on ${call.tool}`;
  return question === undefined
    ? `waits for a decision: ${asking.name}`
    : `${asking.name} waits for an answer`;
}
