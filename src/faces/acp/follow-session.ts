import type { AgentContext, PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Session } from "../../kernel/runtime/session.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Task, TaskStatus } from "../../tool/services/tasks.ts";
import type { UpdateMapper } from "./to-updates.ts";

/** Tells the editor what happens in a session, in the order of its log. */
export interface SessionFollower {
  /** Resolves when the editor was told of every event so far. */
  catchUp(): Promise<void>;
  /** Sends the whole past, for an editor that shows the conversation again. */
  replay(): Promise<void>;
  tellPlan(): Promise<void>;
}

export async function followSession(
  session: Session,
  { client, mapper }: { client: Pick<AgentContext, "notify">; mapper: UpdateMapper },
): Promise<SessionFollower> {
  const since = await session.bookmark();
  let told = since;
  let failure: { readonly error: unknown } | undefined;
  let news = Promise.withResolvers<void>();
  const tellNews = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const send = (update: SessionUpdate) => client.notify("session/update", { sessionId: session.id, update });
  const tellPlan = async () => {
    await send({ sessionUpdate: "plan", entries: (await session.tasks.list()).map(toEntry) });
  };

  const watch = async () => {
    for await (const event of session.events({ since })) {
      for (const update of mapper.map(event)) await send(update);
      if (event.type === "todo-change") await tellPlan();
      told = event.sequence;
      tellNews();
    }
  };
  watch()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      // Nothing more is sent, so waiting for it must end.
      told = Number.POSITIVE_INFINITY;
      tellNews();
    });

  return {
    tellPlan,
    async catchUp() {
      const last = await session.bookmark();
      while (told < last) await news.promise;
      if (failure !== undefined) throw failure.error;
    },
    async replay() {
      if (since === 0) return;
      for await (const event of session.conversation()) {
        if (event.sessionId === session.id && event.sequence > since) break;
        for (const update of mapper.map(event, { isReplay: true })) await send(update);
      }
      if ((await session.tasks.list()).length > 0) await tellPlan();
    },
  };
}

function toEntry({ title, status }: Task): PlanEntry {
  return { content: escapeLine(title), priority: "medium", status: statuses[status] };
}

/** The protocol's statuses. It has none for failed and cancelled entries, on which no agent works any more. */
const statuses = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
  failed: "completed",
  cancelled: "completed",
} satisfies Record<TaskStatus, PlanEntry["status"]>;
