import { type AgentRecord, byStart, toKept } from "./agent-record.ts";
import type { SubAgentsParts } from "./child-agent.ts";
import type { ChildProgress } from "./follow-child.ts";

/** A sub-agent with its progress. */
export interface ListedAgent extends AgentRecord {
  readonly progress: Readonly<ChildProgress>;
}

export type AgentRoster = ReturnType<typeof createAgentRoster>;

/** The sub-agents of a session, as this process and others with the session have recorded them. */
export function createAgentRoster(stored: SubAgentsParts["records"]) {
  const all = new Map<string, ListedAgent>();
  /** Ids whose records in memory are newer than the stored ones. */
  const noted = new Set<string>();
  const news = () => [...all.values()].filter(({ isNews }) => isNews);
  /** Updates a record and stores it. */
  const note = (record: AgentRecord, progress: ChildProgress = noProgress): void => {
    const kept = toKept(record);
    noted.add(record.id);
    all.set(record.id, { ...kept, progress });
    stored.set(record.id, kept);
  };
  /** Clears news that the parent in another process has already been given. */
  const clearTakenNews = ({ id, status, isNews: isStillNews }: AgentRecord): void => {
    const { isNews, ...known } = all.get(id)!;
    if (isNews && status !== "in_progress" && !isStillNews) all.set(id, known);
  };
  return {
    list: (): readonly ListedAgent[] => [...all.values()],
    find: (id: string) => all.get(id),
    note,
    /** Reads the stored records, and returns those that another process recorded as running. */
    async learn(): Promise<readonly AgentRecord[]> {
      const records = [...(await stored.list()).values()].sort(byStart);
      const foreign = records.filter(({ id }) => !noted.has(id));
      for (const record of records) if (noted.has(record.id)) clearTakenNews(record);
      for (const record of foreign) all.set(record.id, { ...record, progress: progressOf(record) });
      return foreign.filter(({ status }) => status === "in_progress");
    },
    get hasNews() {
      return news().length > 0;
    },
    /** Sub-agents that ended without their parent knowing; they no longer count as news afterwards. */
    takeNews: () =>
      news().map(({ progress, isNews: _, ...record }) => {
        note(record, progress);
        return record;
      }),
  };
}

const noProgress: ChildProgress = { calls: 0, unapproved: 0, tokens: 0 };

function progressOf({ report }: AgentRecord): ChildProgress {
  if (report === undefined) return noProgress;
  const { calls, unapproved = 0, tokens } = report;
  return { calls, unapproved, tokens };
}
