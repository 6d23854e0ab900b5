import { join } from "node:path";
import type { Registry, SourceProblem, ToolSource } from "../../kernel/registry/index.ts";
import type { Consent } from "../../kernel/services/index.ts";
import { openBareSandbox } from "../../machine/sandbox/index.ts";
import { shownHash } from "../../shared/crypto.ts";
import { isoTime } from "../../shared/iso-time.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { CreatedTool, MadeToolStatus } from "../../tool/services/made.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { checkMadeTool, runExamples } from "./check-made-tool.ts";
import { createGuestPool } from "./guest/guest-pool.ts";
import { guestFiles, noSandbox, usualLimits } from "./guest/guest-process.ts";
import type { MadeVersion } from "./made-records.ts";
import {
  activeVersion,
  activeVersions,
  knownNames,
  listStatuses,
  madePrefix,
  nextVersion,
  proposalOf,
  versionText,
} from "./made-state.ts";
import { createMadeStore, type MadeStore, noReason } from "./made-store.ts";
import { hashOf, idOf, type MadeTool } from "./made-tool.ts";
import { toTool } from "./to-tool.ts";

/** The tools that agents have made for a project. */
export type MadeTools = Awaited<ReturnType<typeof openMadeTools>>;

interface Proposer {
  readonly madeBy: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Counts one more proposal; throws if the session has made too many. */
  charge(): Promise<void>;
  /** The decision on this version; undefined if no person can be asked. `path` is how rules name it. */
  decide(proposal: { readonly path: string; readonly text: string }): Promise<Consent | undefined>;
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
}

const sourceId = "made";

/** Adds the project's approved tools to the registry, and those that are approved from now on. */
export async function openMadeTools(parts: MadeToolsParts) {
  const { registry, redactor, isSandboxOff } = parts;
  let bare: ReturnType<typeof openBareSandbox> | undefined;
  const pool = createGuestPool(async () => {
    if (isSandboxOff) throw noSandbox();
    bare ??= openBareSandbox(guestFiles());
    return { sandbox: await bare, limits: usualLimits };
  });
  let notify = () => {};
  const store = createMadeStore({ ...parts, onChange: () => notify() });
  const source: ToolSource = {
    id: sourceId,
    layer: "made",
    tools: () =>
      activeVersions(store.state).map((approved) => ({
        ...toTool(approved, { pool, recheck: store.recheck }),
        group: sourceId,
      })),
    problems: () => problemsOf(store),
    absenceOf: store.absenceOf,
    async start(onChange) {
      notify = onChange;
      await store.read();
      if (store.state.records.size > 0) store.watch();
    },
    async stop() {
      store.close();
      await pool.close();
    },
  };
  await registry.addSource(source);

  const check = async (given: unknown, signal: AbortSignal): Promise<MadeTool> => {
    const tool = checkMadeTool(given, { redactor });
    refuseName(tool.name, parts);
    await runExamples(tool, pool, signal);
    return tool;
  };
  /** The proposal that waits under this id, as it is now. */
  const waiting = async (id: string): Promise<MadeVersion> => {
    await store.reread();
    const { name, hash } = parseMadeId(id);
    const proposal = proposalOf(store.state, name);
    if (proposal?.hash.startsWith(hash)) return proposal;
    throw notWaiting(id, proposal);
  };

  return {
    /** Reads what other processes have decided. */
    refresh: store.reread,
    forgetSession: pool.forget,
    async list(): Promise<readonly MadeToolStatus[]> {
      await store.reread();
      return listStatuses(store.state);
    },
    /** Checks a tool, keeps it as a proposal, and has it decided on if a person or a rule can do so now. */
    async propose(
      given: unknown,
      { madeBy, sessionId, signal, charge, decide }: Proposer,
    ): Promise<CreatedTool> {
      const tool = await check(given, signal);
      const { name } = tool;
      const hash = hashOf(tool);
      await store.reread();
      const record = store.recordOf(name);
      const id = `${madePrefix}${idOf(name, hash)}`;
      const active = activeVersion(store.state, name);
      if (active?.hash === hash) return { id, name, status: "active", version: active.version };
      if (record.denied?.hash === hash) throw deniedBy(name, record.denied.deniedBy, record.denied.why);
      const version = nextVersion(record);
      const proposal: MadeVersion = { tool, hash, version, madeBy, sessionId, madeAt: isoTime() };
      await charge();
      await store.propose(proposal);
      const path = join(".toolwright", "tools", `${idOf(name, hash)}.json`);
      const text = await versionText(store.state, proposal);
      const decided = await decide({ path, text }).catch(async (error: unknown) => {
        // By a rule or the mode: then it is not to be found waiting.
        if (error instanceof ToolError && error.code === "permission-denied") await store.withdraw(proposal);
        throw error;
      });
      if (decided === undefined) return { id, name, status: "proposed", version };
      const { decision, by, note: why } = decided;
      if (decision === "deny") {
        await store.deny(proposal, by, why);
        throw deniedBy(name, by, why);
      }
      await store.approve(proposal, by);
      return { id, name, status: "active", version };
    },
    /** Approves a proposal by its id, `tool:name@hash`; the hash may be left out. */
    async approve(id: string, by: string): Promise<void> {
      const proposal = await waiting(id);
      // What lies in a repository was not checked here.
      await check(proposal.tool, AbortSignal.timeout(maxCheckMs));
      await store.approve(proposal, by);
    },
    deny: async (id: string, by: string, why?: string): Promise<void> =>
      store.deny(await waiting(id), by, why),
    /** Takes an approval back. */
    async revoke(id: string, by: string, why?: string): Promise<void> {
      await store.reread();
      const { name, hash } = parseMadeId(id);
      const { approved } = store.recordOf(name);
      if (!approved?.hash.startsWith(hash))
        throw new TypeError(`${id} is not approved, so there is nothing to revoke`);
      await store.deny(approved, by, why);
    },
  };
}

const maxCheckMs = 60_000;

function problemsOf({ state }: MadeStore): SourceProblem[] {
  return knownNames(state).flatMap((name) => {
    const proposal = proposalOf(state, name);
    if (proposal === undefined) return [];
    const id = `${madePrefix}${idOf(name, proposal.hash)}`;
    const message = `it is not approved; look at it with \`toolwright tools --made\`, then \`toolwright approve ${id}\``;
    return [{ source: sourceId, subject: name, message, severity: "warning" as const }];
  });
}

function refuseName(
  name: string,
  { registry, impersonated }: Pick<MadeToolsParts, "registry" | "impersonated">,
): void {
  const refuse = (why: string) => {
    throw new ToolError("already-exists", `${name} ${why}`, { hint: "Choose another name." });
  };
  const builtIn = impersonated(name);
  if (builtIn !== undefined) refuse(`could be taken for the built-in tool ${builtIn}`);
  const holder = registry.findExact(name) ?? registry.find(name);
  if (holder !== undefined && holder.source !== sourceId) refuse(`is already provided by ${holder.source}`);
}

function deniedBy(name: string, by: string, why = noReason): ToolError {
  return new ToolError("permission-denied", `${name} was denied by ${by}: ${why}`, {
    hint: "Propose something else, or ask the user.",
  });
}

/** Reads `tool:name`, with or without `@` and the beginning of a hash. */
function parseMadeId(id: string): { readonly name: string; readonly hash: string } {
  const parts = /^tool:([a-z][a-z0-9_]*)(?:@([0-9a-f]{8,64}))?$/.exec(id);
  if (parts === null) throw new TypeError(`invalid id ${JSON.stringify(id)}; write tool:<name>`);
  const [, name = "", hash = ""] = parts;
  return { name, hash };
}

function notWaiting(id: string, found: { readonly hash: string } | undefined): TypeError {
  if (found === undefined)
    return new TypeError(
      `${id} does not need a decision; \`toolwright tools --made\` tells what became of it`,
    );
  const now = shownHash(found.hash);
  return new TypeError(`${id} has changed since you looked at it; it is @${now} now. Look at it again.`);
}
