import { defined } from "../../../shared/options/defined.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import {
  ClaimLost,
  type Entry,
  findKeptOwners,
  isAliveIn,
  keptIn,
  type Store,
  type VariableWrite,
} from "../../store/index.ts";
import type { SessionLog } from "../session-log.ts";
import {
  type InboxAnswer,
  type InboxItem,
  type InboxProblem,
  type InboxRequest,
  inboxAnswers,
  inboxItems,
} from "./inbox-item.ts";

/** Reads the requests of other processes to the sessions that this process owns. */
export type Inboxes = ReturnType<typeof createInboxes>;

interface ServedSession {
  readonly id: string;
  readonly log: Pick<SessionLog, "commit">;
  /** The number of the lease under which this process owns it. */
  readonly fence: number;
  readonly handlers: InboxHandlers;
  /** Another process owns it by now. */
  onLost(): void;
}

export type InboxHandlers = { [Kind in InboxRequest["kind"]]?: InboxHandler<Kind> };

/**
 * Does what an item asks for. It may be called again for the same item if this process is killed before the answer is
 * written, so its events and variables must be written by `finish`, together with the answer.
 */
export type InboxHandler<Kind extends InboxRequest["kind"]> = (
  request: Extract<InboxRequest, { kind: Kind }>,
  finish: Finish,
) => Promise<void>;

/** Writes the answer, which ends the item, with more and with the variables noted so far. False if it was taken back. */
type Finish = (answer?: unknown, more?: Partial<Pick<Entry, "events" | "variables">>) => Promise<boolean>;

export function createInboxes(store: Store) {
  const served = new Map<string, Reader>();
  let stopListening: (() => void) | undefined;
  let isLooking = false;
  let isAsked = false;
  let isWoken = false;

  const lookOnce = async (): Promise<void> => {
    for (const id of await findKeptOwners(store, inboxItems)) await served.get(id)?.read();
    if (!isWoken) return;
    // A process that takes a session over wakes the previous owner.
    isWoken = false;
    for (const reader of served.values()) await reader.checkLease();
  };
  /** Looks once at a time; a request that comes meanwhile starts another look afterwards. */
  const look = async (): Promise<void> => {
    isAsked = true;
    if (isLooking) return;
    isLooking = true;
    while (isAsked && served.size > 0) {
      isAsked = false;
      // A store that cannot be read now is read at the next look.
      await lookOnce().catch(() => {});
    }
    isLooking = false;
  };

  return {
    /** Begins to read a session's inbox, with the items that are in it already. */
    serve(session: ServedSession) {
      const reader = createReader(store, session);
      served.set(session.id, reader);
      stopListening ??= store.lives.onWake((isReally) => {
        isWoken ||= isReally;
        void look();
      });
      void look();
      reader.clean().catch(() => {});
      return {
        /** Adds a handler for requests that have waited for one. Returns how to remove it. */
        handle<Kind extends InboxRequest["kind"]>(kind: Kind, handler: InboxHandler<Kind>): () => void {
          reader.handlers.set(kind, handler as AnyHandler);
          void look();
          return () => reader.handlers.delete(kind);
        },
        stop() {
          served.delete(session.id);
          if (served.size > 0) return;
          stopListening?.();
          stopListening = undefined;
        },
      };
    },
  };
}

type AnyHandler = (request: InboxRequest, finish: Finish) => Promise<void>;

type Reader = ReturnType<typeof createReader>;

function createReader(store: Store, { id, log, fence, handlers: given, onLost }: ServedSession) {
  const items = keptIn(store, inboxItems, id);
  const answers = keptIn(store, inboxAnswers, id);
  const handlers = new Map(Object.entries({ ping, ...given }) as [string, AnyHandler][]);
  const underWay = new Set<string>();

  const end = async (
    item: InboxItem,
    answer: InboxAnswer,
    { events = [], variables: more = [] }: Parameters<Finish>[1] = {},
  ): Promise<boolean> => {
    const variables: VariableWrite[] = [...more, items.write(item.id)];
    const { life: to } = item.from;
    if (await isAliveIn(store, item.from)) variables.push(answers.write(item.id, { ...answer, to }));
    try {
      await log.commit({ events, variables, requires: [items.write(item.id, item)] });
      return true;
    } catch (error) {
      // The process that asked has taken its request back.
      if (error instanceof ClaimLost) return false;
      throw error;
    } finally {
      if (item.from.life !== undefined) store.lives.wake(item.from.life);
    }
  };

  const work = async (item: InboxItem, handler: AnyHandler): Promise<void> => {
    try {
      await handler(item.request, (value, more) => end(item, { value }, more));
    } catch (error) {
      await end(item, { error: describeProblem(error) });
    }
  };

  return {
    handlers,
    async read() {
      for (const item of [...(await items.list()).values()].sort(byAge)) {
        const handler = handlers.get(item.request.kind);
        if (handler === undefined || underWay.has(item.id)) continue;
        underWay.add(item.id);
        // Not awaited: one may wait for a person, and the next may be that person's answer.
        work(item, handler)
          .catch(() => {})
          .finally(() => underWay.delete(item.id));
      }
    },
    /** Removes answers to processes that have died and cannot remove them. */
    async clean() {
      const isLeft = ({ to }: InboxAnswer) => to === undefined || !store.lives.isAlive(to);
      const left = [...(await answers.list())].filter(([, answer]) => isLeft(answer));
      const variables = left.map(([name]) => answers.write(name));
      if (variables.length > 0) await log.commit({ events: [], variables });
    },
    async checkLease() {
      const lease = await store.readLease(id);
      if (lease !== undefined && lease.fence !== fence) onLost();
    },
  };
}

async function ping(_request: unknown, finish: Finish): Promise<void> {
  await finish();
}

function describeProblem(error: unknown): InboxProblem {
  const message = describeThrown(error);
  if (!(error instanceof ToolError)) return { code: "tool-failed", message };
  return { code: error.code, message, ...defined({ hint: error.hint }) };
}

function byAge(one: InboxItem, other: InboxItem): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
