import { setMaxListeners } from "node:events";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { openWaitingList } from "../people/index.ts";
import { endedBy } from "../session/index.ts";
import { readUndoRecord, receiptQueryKeys, verifyChain } from "../store/index.ts";
import { type AssembledRuntime, assembleRuntime, type RuntimePlan } from "./assemble/assemble-runtime.ts";
import { broughtBy } from "./capability.ts";
import { declareOptions } from "./declare-options.ts";
import { declaredKept } from "./open-capabilities.ts";
import { openSessions } from "./open-sessions.ts";
import { collectGently } from "./places/collect-garbage.ts";
import { whyUnsupported } from "./places/supported-engine.ts";
import { openRemoteSession, type RemoteParts, waitingInSessions } from "./remote/open-remote-session.ts";
import type { RunningRuntime } from "./running-runtime.ts";
import type { KernelRuntime, Runtime, RuntimeRecords, RuntimeTools } from "./runtime.ts";
import { readHealth } from "./runtime-health.ts";
import { trackReads } from "./tracked-reads.ts";
import { watchSessions } from "./watch-sessions.ts";

/** Opens a runtime with the capabilities of a list. Rejects if an option is invalid; then nothing stays open. */
export async function openRuntimeWith(plan: RuntimePlan): Promise<Runtime> {
  checkPlan(plan);
  const closers: (() => Promise<void>)[] = [];
  const close = closeOnce(closers);
  try {
    const assembled = await assembleRuntime(plan, closers);
    const { runtime, sessions } = await openSessions(assembled);
    if (plan.options.sandbox === "required") await runtime.sandbox();
    const kept = { ...assembled.places, kinds: declaredKept(plan.capabilities) };
    closers.push(() => collectGently(kept, plan.options.retention ?? {}));
    closers.push(sessions.close);
    const ending = new AbortController();
    // Every stream of a remote session listens for the end.
    setMaxListeners(0, ending.signal);
    const reads = trackReads(runtime.store);
    closers.push(() => {
      ending.abort();
      return reads.settled();
    });
    const open: RunningRuntime["open"] = async (given, model) => {
      if (close.hasBegun()) throw new Error("the runtime is closed");
      return runtime.open(given, model);
    };
    const remote = { ...runtime, open, store: reads.store, ending: ending.signal };
    return joinMembers({ ...runtime, open }, describeRuntime(assembled, remote, close));
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws if no runtime can be opened here, or not with these options. */
function checkPlan({ capabilities, options }: RuntimePlan): void {
  const unsupported = whyUnsupported();
  if (unsupported !== undefined) throw new Error(unsupported);
  for (const each of capabilities) each.check?.();
  declareOptions(capabilities).check(options);
}

/** The runtime that code gets: the members of the kernel, and those that capabilities add. */
function joinMembers(runtime: RunningRuntime, kernel: KernelRuntime): Runtime {
  const added = runtime.parts.map((part) => part.members?.(runtime) ?? {});
  const tools = Object.assign(kernel.tools, ...broughtBy(added, "tools")) as RuntimeTools;
  return Object.assign(kernel, ...added, { tools }) as Runtime;
}

function describeRuntime(
  assembled: AssembledRuntime,
  remote: RemoteParts & RunningRuntime,
  close: () => Promise<void>,
): KernelRuntime {
  const { options, places, network, registry, policySource, metrics, dialects, dialect, sandbox } = assembled;
  const { register, explain, list, onChange } = registry;
  const { groups } = dialects.speak(dialect).view;
  return {
    ...recordsOf(assembled, remote),
    workspace: places.workspace.root,
    tools: { register, groups, explain, list, onChange },
    openSession: (given) => remote.open(given),
    remoteSession: (id) => openRemoteSession(remote, id),
    approvals: openWaitingList([waitingInSessions(remote), ...broughtBy(remote.parts, "waiting")].flat()),
    sandbox,
    metrics: metrics.read,
    health: () => {
      const isSandboxOff = options.sandbox === "off";
      return readHealth({ ...places, store: places.store.maintenance, network, sandbox, isSandboxOff });
    },
    problems: () => [...registry.problems(), ...policySource.problems()],
    close,
  };
}

/** Closes everything in reverse, even after a failure, then throws the first failure. */
function closeOnce(closers: (() => Promise<void>)[]) {
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const failures: unknown[] = [];
    for (const close of closers.splice(0).reverse())
      await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  return Object.assign(close, { hasBegun: () => closing !== undefined });
}

/** The records in the store of a runtime, of every session and process. */
function recordsOf(
  { places: { store, outputs, blobs }, redactor, capabilities }: AssembledRuntime,
  { ending }: RemoteParts,
): RuntimeRecords {
  return {
    watch: (query = {}) => watchSessions(store, endedBy(query, ending)),
    sessions: () => store.listSessions(),
    async receipts(query = {}) {
      refuseUnknownKeys(query, receiptQueryKeys, "receipts");
      return store.readReceipts(query);
    },
    async readOutput({ storedPath }) {
      const text = storedPath === undefined ? undefined : await outputs.read(storedPath);
      return text === undefined ? undefined : redactor.text(text);
    },
    async readDiff({ undo }) {
      const record = undo === undefined ? undefined : await readUndoRecord(blobs, undo);
      return record?.diff && redactor.text(record.diff);
    },
    async verify(sessionId) {
      const ids = sessionId === undefined ? await store.rawLogs.list() : [sessionId];
      return Promise.all(ids.map((id) => verifyChain(store, id, declaredKept(capabilities))));
    },
  };
}
