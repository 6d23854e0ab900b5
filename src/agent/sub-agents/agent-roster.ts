import { type AgentRecord, readAgentRecords, toKept } from "./agent-record.ts";
import type { ChildProgress } from "./follow-child.ts";

/** One of the sub-agents, and how far it is. */
export interface ListedAgent extends AgentRecord {
  readonly progress: Readonly<ChildProgress>;
}

/** What is known of the sub-agents of a session, by this process and by others that have it open. */
export interface AgentRoster {
  list(): readonly ListedAgent[];
  find(id: string): ListedAgent | undefined;
  /** Says how one is now, and keeps that. */
  note(record: AgentRecord, progress?: ChildProgress): void;
  /** Reads what is kept, and gives those that another process said to be at work. */
  learn(): Promise<readonly AgentRecord[]>;
  readonly hasNews: boolean;
  /** Those that have ended without their parent's knowing of it; it does from then on. */
  takeNews(): readonly AgentRecord[];
}

/** Where they are kept, also by other processes. */
export interface RosterStore {
  readonly read: () => Promise<ReadonlyMap<string, unknown>>;
  readonly keep: (record: AgentRecord) => void;
}

export function createAgentRoster({ read, keep }: RosterStore): AgentRoster {
  const all = new Map<string, ListedAgent>();
  /** What this process has said of them itself is newer than what it could read. */
  const noted = new Set<string>();
  const news = () => [...all.values()].filter(({ isNews }) => isNews);
  const note = (record: AgentRecord, progress: ChildProgress = noProgress): void => {
    const kept = toKept(record);
    noted.add(record.id);
    all.set(record.id, { ...kept, progress });
    keep(kept);
  };
  /** The agent of another process has told it. */
  const forgetTold = ({ id, status, isNews: isStillNews }: AgentRecord): void => {
    const { isNews, ...known } = all.get(id)!;
    if (isNews && status !== "in_progress" && !isStillNews) all.set(id, known);
  };
  return {
    list: () => [...all.values()],
    find: (id) => all.get(id),
    note,
    async learn() {
      const records = readAgentRecords(await read());
      const foreign = records.filter(({ id }) => !noted.has(id));
      for (const record of records) if (noted.has(record.id)) forgetTold(record);
      for (const record of foreign) all.set(record.id, { ...record, progress: progressOf(record) });
      return foreign.filter(({ status }) => status === "in_progress");
    },
    get hasNews() {
      return news().length > 0;
    },
    takeNews: () =>
      news().map(({ progress, isNews: _, ...record }) => {
        note(record, progress);
        return record;
      }),
  };
}

const noProgress: ChildProgress = { calls: 0, tokens: 0 };

function progressOf({ report }: AgentRecord): ChildProgress {
  return report === undefined ? noProgress : { calls: report.calls, tokens: report.tokens };
}
