import { basename, dirname, join } from "node:path";
import { createWatchSet } from "../../kernel/registry/folders/watch-set.ts";
import type { Registry } from "../../kernel/registry/registry.ts";
import type { SourceProblem, ToolSource } from "../../kernel/registry/tool-source.ts";
import { existsNow } from "../../machine/locks/files-now.ts";
import { stampOf } from "../../machine/locks/own-file.ts";
import { openBareSandbox } from "../../machine/sandbox/open-bare-sandbox.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { createLock } from "../../shared/lock.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { shownHash } from "../../shared/sha256.ts";
import type { CreatedTool, MadeToolStatus } from "../../tool/services/made.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { checkMadeTool } from "./check-made-tool.ts";
import { createGuestPool } from "./guest/guest-pool.ts";
import { guestFiles, noSandbox } from "./guest/guest-process.ts";
import { type MadeLimits, usualLimits } from "./made-limits.ts";
import { madeRecordsFile, madeToolsFolder } from "./made-places.ts";
import {
  type ApprovedVersion,
  type MadeRecord,
  type MadeVersion,
  readMadeRecords,
  updateMadeRecord,
} from "./made-records.ts";
import type { MadeDecision } from "./made-service.ts";
import {
  activeVersion,
  activeVersions,
  listStatuses,
  type MadeState,
  madePrefix,
  nextVersion,
  proposalOf,
  versionText,
} from "./made-state.ts";
import { hashOf, idOf, type MadeTool } from "./made-tool.ts";
import { projectFile, readVersions, writeVersion } from "./project-file.ts";
import { runExamples } from "./run-examples.ts";
import { toTool } from "./to-tool.ts";

/** The tools that agents have made for a project. */
export interface MadeTools {
  /** Checks a tool, keeps it as a proposal, and has it decided on if somebody is there. */
  propose(given: unknown, by: Proposer): Promise<CreatedTool>;
  list(): Promise<readonly MadeToolStatus[]>;
  /** Approves a proposal by its id, `tool:name@hash`; the hash may be left out. */
  approve(id: string, by: string): Promise<void>;
  /** Denies a proposal. */
  deny(id: string, by: string, why?: string): Promise<void>;
  /** Takes an approval back. */
  revoke(id: string, by: string, why?: string): Promise<void>;
  /** Reads what other processes have decided. */
  refresh(): Promise<void>;
  forgetSession(sessionId: string): Promise<void>;
}

interface Proposer {
  readonly madeBy: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Counts one more proposal; throws if the session has made too many. */
  charge(): Promise<void>;
  /** Somebody's decision on this version; undefined if nobody is there. `path` is how rules name it. */
  decide(proposal: { readonly path: string; readonly text: string }): Promise<MadeDecision | undefined>;
}

export interface MadeToolsParts {
  readonly root: string;
  /** Where approvals are kept, out of reach of every tool. */
  readonly stateFolder: string;
  readonly registry: Registry;
  readonly redactor: Pick<Redactor, "text">;
  /** The built-in tool whose name, in any dialect, this one could be taken for. */
  readonly impersonated: (name: string) => string | undefined;
  readonly isSandboxOff: boolean;
  readonly limits?: Partial<MadeLimits>;
}

const sourceId = "made";

/** Adds the project's approved tools to the registry, and those that are approved from now on. */
export async function openMadeTools(parts: MadeToolsParts): Promise<MadeTools> {
  const { root, registry, redactor, impersonated, isSandboxOff } = parts;
  const recordsFile = madeRecordsFile(parts.stateFolder);
  const limits = { ...usualLimits, ...parts.limits };
  const inLine = createLock();
  let bare: ReturnType<typeof openBareSandbox> | undefined;
  const pool = createGuestPool(async () => {
    if (isSandboxOff) throw noSandbox();
    bare ??= openBareSandbox(guestFiles());
    return { sandbox: await bare, limits };
  });

  let state: MadeState = { records: new Map(), files: new Map() };
  let notify = () => {};
  /** The state of the disk in which a tool was last found to be as approved. */
  const verified = new Map<string, string>();
  const stampsOf = (name: string) => `${stampOf(recordsFile)} ${stampOf(projectFile(root, name))}`;
  const read = async () => {
    verified.clear();
    const [records, files] = await Promise.all([readMadeRecords(recordsFile), readVersions(root)]);
    state = { records, files };
  };
  const activeHashes = () => JSON.stringify(activeVersions(state).map(({ hash }) => hash));
  const reread = () =>
    inLine(async () => {
      const before = activeHashes();
      await read();
      if (activeHashes() !== before) notify();
    });
  let noticed: NodeJS.Timeout | undefined;
  const watches = createWatchSet(() => {
    // Changes come in groups.
    noticed ??= setTimeout(() => {
      noticed = undefined;
      reread().catch(() => {});
    }, settleMs).unref();
  });
  const watched = new Set<string>();
  /** Their folder too: a tool whose file was changed is offered again once it is as approved. */
  const watch = () => {
    if (watched.size === 0) watches.add(dirname(recordsFile), basename(recordsFile));
    watched.add(recordsFile);
    const folder = madeToolsFolder(root);
    if (watched.has(folder) || !existsNow(folder)) return;
    watched.add(folder);
    watches.add(folder);
  };

  /** Looks at the file once more: whoever changed it takes the approval away, whatever has been noticed so far. */
  const recheck = async (known: ApprovedVersion): Promise<ApprovedVersion> => {
    const { name } = known.tool;
    const stamps = stampsOf(name);
    if (verified.get(name) === `${known.hash} ${stamps}`) return known;
    await reread();
    const current = activeVersion(state, name);
    if (current !== undefined) {
      // Taken before reading: a change in between makes it look again.
      verified.set(name, `${current.hash} ${stamps}`);
      return current;
    }
    throw new ToolError("permission-denied", `${name} has changed since it was approved, or is revoked`, {
      hint: "Somebody has to approve it again: `toolwright approvals` shows it.",
    });
  };
  const problems = (): SourceProblem[] =>
    [...new Set([...state.records.keys(), ...state.files.keys()])].sort().flatMap((name) => {
      const proposal = proposalOf(state, name);
      if (proposal === undefined) return [];
      const id = `${madePrefix}${idOf(name, proposal.hash)}`;
      const message = `it is not approved; look at it with \`toolwright tools --made\`, then \`toolwright approve ${id}\``;
      return [{ source: sourceId, subject: name, message, severity: "warning" as const }];
    });

  const refuseName = (name: string) => {
    const builtIn = impersonated(name);
    const holder = registry.findExact(name) ?? registry.find(name);
    const why =
      builtIn !== undefined
        ? `could be taken for the built-in tool ${builtIn}`
        : holder !== undefined && holder.source !== sourceId
          ? `is already provided by ${holder.source}`
          : undefined;
    if (why !== undefined)
      throw new ToolError("already-exists", `${name} ${why}`, { hint: "Choose another name." });
  };
  const check = async (given: unknown, signal: AbortSignal): Promise<MadeTool> => {
    const tool = checkMadeTool(given, { redactor });
    refuseName(tool.name);
    await runExamples(tool, pool, signal);
    return tool;
  };
  /** The file first: without an approval it counts for nothing, and with one it is what others look for. */
  const approveVersion = async (version: MadeVersion, approvedBy: string) => {
    const {
      tool: { name },
      hash,
    } = version;
    const numbered = { ...version, version: nextVersion(recordOf(name)) };
    await writeVersion(root, numbered);
    watch();
    await updateMadeRecord(recordsFile, name, ({ proposed, denied }) => ({
      name,
      approved: { ...numbered, approvedBy, approvedAt: isoTime() },
      ...(proposed !== undefined && proposed.hash !== hash && { proposed }),
      ...(denied !== undefined && denied.hash !== hash && { denied }),
    }));
    await reread();
  };
  /** A version that was approved before it stays so. */
  const denyVersion = async (version: MadeVersion, deniedBy: string, why = noReason) => {
    const { name } = version.tool;
    await updateMadeRecord(recordsFile, name, ({ approved, proposed }) => {
      const isRevoked = approved?.hash === version.hash;
      return {
        name,
        ...(approved !== undefined && !isRevoked && { approved }),
        ...(proposed !== undefined && proposed.hash !== version.hash && { proposed }),
        denied: { ...version, deniedBy, deniedAt: isoTime(), why, isRevoked },
      };
    });
    await reread();
  };
  const withdraw = async ({ tool: { name }, hash }: MadeVersion) => {
    await updateMadeRecord(recordsFile, name, ({ proposed, ...others }) => {
      const record = proposed === undefined || proposed.hash === hash ? others : { ...others, proposed };
      return Object.keys(record).length > 1 ? record : undefined;
    });
    await reread();
  };
  const recordOf = (name: string): MadeRecord => state.records.get(name) ?? { name };

  const source: ToolSource = {
    id: sourceId,
    layer: "made",
    tools: () =>
      activeVersions(state).map((approved) => ({
        ...toTool(approved, { pool, recheck }),
        group: sourceId,
      })),
    problems,
    async start(onChange) {
      notify = onChange;
      await read();
      if (state.records.size > 0) watch();
    },
    async stop() {
      clearTimeout(noticed);
      watches.close();
      await pool.close();
    },
  };
  await registry.addSource(source);

  return {
    refresh: reread,
    forgetSession: pool.forget,
    async list() {
      await reread();
      return listStatuses(state);
    },
    async propose(given, { madeBy, sessionId, signal, charge, decide }) {
      const tool = await check(given, signal);
      const { name } = tool;
      const hash = hashOf(tool);
      await reread();
      const record = recordOf(name);
      const id = `${madePrefix}${idOf(name, hash)}`;
      const active = activeVersion(state, name);
      if (active?.hash === hash) return { id, name, status: "active", version: active.version };
      if (record.denied?.hash === hash)
        throw deniedBy(name, { by: record.denied.deniedBy, why: record.denied.why });
      const version = nextVersion(record);
      const proposal: MadeVersion = { tool, hash, version, madeBy, sessionId, madeAt: isoTime() };
      await charge();
      await updateMadeRecord(recordsFile, name, (record) => ({ ...record, proposed: proposal }));
      watch();
      await reread();
      const path = join(".toolwright", "tools", `${idOf(name, hash)}.json`);
      const text = await versionText(state, proposal);
      const decision = await decide({ path, text }).catch(async (error: unknown) => {
        // By a rule or the mode: then nobody is to find it waiting.
        if (error instanceof ToolError && error.code === "permission-denied") await withdraw(proposal);
        throw error;
      });
      if (decision === undefined) return { id, name, status: "proposed", version };
      if (!decision.isApproved) {
        await denyVersion(proposal, decision.by, decision.why);
        throw deniedBy(name, decision);
      }
      await approveVersion(proposal, decision.by);
      return { id, name, status: "active", version };
    },
    async approve(id, by) {
      await reread();
      const { name, hash } = parseMadeId(id);
      const proposal = proposalOf(state, name);
      if (proposal === undefined || !proposal.hash.startsWith(hash ?? "")) throw notWaiting(id, proposal);
      // What lies in a repository was checked by nobody here.
      await check(proposal.tool, AbortSignal.timeout(maxCheckMs));
      await approveVersion(proposal, by);
    },
    async deny(id, by, why) {
      await reread();
      const { name, hash } = parseMadeId(id);
      const proposal = proposalOf(state, name);
      if (proposal === undefined || !proposal.hash.startsWith(hash ?? "")) throw notWaiting(id, proposal);
      await denyVersion(proposal, by, why);
    },
    async revoke(id, by, why) {
      await reread();
      const { name, hash } = parseMadeId(id);
      const { approved } = recordOf(name);
      if (approved === undefined || !approved.hash.startsWith(hash ?? ""))
        throw new TypeError(`${id} is not approved, so there is nothing to revoke`);
      await denyVersion(approved, by, why);
    },
  };
}

const maxCheckMs = 60_000;
const settleMs = 50;
const noReason = "no reason was given";

function deniedBy(
  name: string,
  { by, why = noReason }: { readonly by: string; readonly why?: string },
): ToolError {
  return new ToolError("permission-denied", `${name} was denied by ${by}: ${why}`, {
    hint: "Propose something else, or ask the user.",
  });
}

/** Reads `tool:name`, with or without `@` and the beginning of a hash. */
function parseMadeId(id: string): { readonly name: string; readonly hash?: string } {
  const parts = /^tool:([a-z][a-z0-9_]*)(?:@([0-9a-f]{8,64}))?$/.exec(id);
  if (parts === null) throw new TypeError(`invalid id ${JSON.stringify(id)}; write tool:<name>`);
  const [, name = "", hash] = parts;
  return hash === undefined ? { name } : { name, hash };
}

function notWaiting(id: string, found: { readonly hash: string } | undefined): TypeError {
  if (found === undefined)
    return new TypeError(
      `${id} does not need a decision; \`toolwright tools --made\` tells what became of it`,
    );
  const now = shownHash(found.hash);
  return new TypeError(`${id} has changed since you looked at it; it is @${now} now. Look at it again.`);
}
