import { basename, dirname } from "node:path";
import { createWatchSet } from "../../kernel/registry/index.ts";
import { existsNow, stampOf } from "../../machine/locks/index.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { createLock } from "../../shared/lock.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { madeRecordsFile, madeToolsFolder } from "./made-places.ts";
import {
  type ApprovedVersion,
  type MadeRecord,
  type MadeVersion,
  readMadeRecords,
  updateMadeRecord,
} from "./made-records.ts";
import { activeVersion, activeVersions, type MadeState, nextVersion } from "./made-state.ts";
import { projectFile, readVersions, writeVersion } from "./project-file.ts";

export type MadeStore = ReturnType<typeof createMadeStore>;

export interface MadeStoreParts {
  readonly root: string;
  /** Where approvals are kept, out of reach of every tool. */
  readonly stateFolder: string;
  readonly onChange: () => void;
}

/** The decisions on the tools that agents have made, in a project's state and in the project itself. */
export function createMadeStore({ root, stateFolder, onChange }: MadeStoreParts) {
  const recordsFile = madeRecordsFile(stateFolder);
  const folder = madeToolsFolder(root);
  const inLine = createLock();
  let state: MadeState = { records: new Map(), files: new Map() };
  /** The state of the disk in which a tool was last found to be as approved. */
  const verified = new Map<string, string>();

  const read = async () => {
    verified.clear();
    const [records, files] = await Promise.all([readMadeRecords(recordsFile), readVersions(root)]);
    state = { records, files };
  };
  const activeHashes = () => JSON.stringify(activeVersions(state).map(({ hash }) => hash));
  /** Reads again, and reports if other tools can be called then. */
  const reread = () =>
    inLine(async () => {
      const before = activeHashes();
      await read();
      if (activeHashes() !== before) onChange();
    });
  const update = async (name: string, change: (record: MadeRecord) => MadeRecord | undefined) => {
    await updateMadeRecord(recordsFile, name, change);
    watch();
    await reread();
  };
  const recordOf = (name: string): MadeRecord => state.records.get(name) ?? { name };

  let noticed: NodeJS.Timeout | undefined;
  const watches = createWatchSet(() => {
    // Changes come in groups.
    noticed ??= setTimeout(() => {
      noticed = undefined;
      reread().catch(() => {});
    }, settleMs).unref();
  });
  const watched = new Set<string>();
  /**
   * Rereads from now on when other processes change something. The tools' folder too: a tool whose file was changed is offered
   * again once it is as approved.
   */
  const watch = () => {
    if (watched.size === 0) watches.add(dirname(recordsFile), basename(recordsFile));
    watched.add(recordsFile);
    if (watched.has(folder) || !existsNow(folder)) return;
    watched.add(folder);
    watches.add(folder);
  };

  return {
    /** As it was last read. */
    get state() {
      return state;
    },
    recordOf,
    read,
    reread,
    watch,
    /**
     * The version that is approved now; throws if none is. Looks at the file once more: a change of it takes the approval away,
     * whatever has been noticed so far.
     */
    async recheck(known: ApprovedVersion): Promise<ApprovedVersion> {
      const { name } = known.tool;
      const stamps = `${stampOf(recordsFile)} ${stampOf(projectFile(root, name))}`;
      if (verified.get(name) === `${known.hash} ${stamps}`) return known;
      await reread();
      const current = activeVersion(state, name);
      if (current !== undefined) {
        // Taken before reading: a change in between makes it look again.
        verified.set(name, `${current.hash} ${stamps}`);
        return current;
      }
      throw approvalGone(name);
    },
    /**
     * Why a tool that was approved is not offered any more: the same error as for a call that notices it first. Undefined for
     * tools that never were.
     */
    absenceOf(name: string): ToolError | undefined {
      const { approved, denied } = recordOf(name);
      const wasApproved = approved !== undefined || denied?.isRevoked;
      return wasApproved && activeVersion(state, name) === undefined ? approvalGone(name) : undefined;
    },
    propose: (proposed: MadeVersion) => update(proposed.tool.name, (record) => ({ ...record, proposed })),
    /** Forgets a proposal. */
    withdraw: ({ tool: { name }, hash }: MadeVersion) =>
      update(name, ({ proposed, ...others }) => {
        const record = proposed === undefined || proposed.hash === hash ? others : { ...others, proposed };
        return Object.keys(record).length > 1 ? record : undefined;
      }),
    /** The file first: without an approval it counts for nothing, and with one, other processes look for it. */
    async approve(version: MadeVersion, approvedBy: string) {
      const { name } = version.tool;
      const numbered = { ...version, version: nextVersion(recordOf(name)) };
      await writeVersion(root, numbered);
      await update(name, ({ proposed, denied }) => ({
        name,
        approved: { ...numbered, approvedBy, approvedAt: isoTime() },
        proposed: otherThan(version, proposed),
        denied: otherThan(version, denied),
      }));
    },
    /** A version that was approved before it stays so. */
    deny: (version: MadeVersion, deniedBy: string, why = noReason) =>
      update(version.tool.name, ({ name, approved, proposed }) => {
        const isRevoked = approved?.hash === version.hash;
        return {
          name,
          approved: otherThan(version, approved),
          proposed: otherThan(version, proposed),
          denied: { ...version, deniedBy, deniedAt: isoTime(), why, isRevoked },
        };
      }),
    close() {
      clearTimeout(noticed);
      watches.close();
    },
  };
}

const settleMs = 50;

function approvalGone(name: string): ToolError {
  return new ToolError("permission-denied", `${name} has changed since it was approved, or is revoked`, {
    hint: "A person has to approve it again: `toolwright approvals` shows it.",
  });
}

export const noReason = "no reason was given";

function otherThan<Kept extends MadeVersion>(
  { hash }: MadeVersion,
  kept: Kept | undefined,
): Kept | undefined {
  return kept?.hash === hash ? undefined : kept;
}
