import { join } from "node:path";
import type { SessionView } from "../../../tool/tool-context.ts";
import { askHooks } from "../../call/index.ts";
import { checkMode, createSessionMode, type SessionMode, whyNeverAllowed } from "../../policy/index.ts";
import type { RegisteredTool } from "../../registry/index.ts";
import { whyLacking } from "../../services/index.ts";
import {
  type BudgetLimits,
  checkBudget,
  type OwnedSession,
  ownSession,
  readLog,
  readTaint,
  releaseWrite,
  type SessionKept,
  withCanonicalTools,
} from "../../session/index.ts";
import { openTools, type ToolAllowance, type ToolFilter } from "../../tool-search/index.ts";
import type { SpokenDialect } from "../assemble/open-dialects.ts";
import type { ParentSession } from "../parent-session.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { NamedSessionOptions, Session } from "../session.ts";
import { createCallHost } from "./create-call-host.ts";
import { openState, type SessionStart } from "./open-state.ts";
import type { OfferedTools } from "./opening-session.ts";
import { type ServedSession, serveSession } from "./serve-session.ts";
import { alreadyThere, checkFork, findForkSources } from "./session-fork.ts";
import { closeParts, openParts } from "./session-parts.ts";

/** Takes a session for this process, and opens it with every capability of the runtime. */
export async function openSession(
  runtime: RunningRuntime,
  options: NamedSessionOptions,
  parent?: ParentSession,
): Promise<Session> {
  const { store, dialects, policySource, workspace } = runtime;
  const { id } = options;
  await policySource.refresh();
  const mode = chooseMode(runtime, options, parent);
  const limits = chooseLimits(runtime, options, parent);
  if (options.fork !== undefined) await checkFork(runtime, options.fork);
  const preparing = Promise.all(runtime.parts.map((part) => part.prepare?.()));
  // Awaited below; this handles a rejection if something else fails first.
  preparing.catch(() => {});
  const owned = await ownSession(store, {
    id,
    workspace: workspace.root,
    chooseDialect: (recorded) => dialects.choose(options, recorded),
    taskId: options.taskId,
    parent: parent?.record,
  });
  try {
    return await openOwned(runtime, options, { parent, owned, mode, limits, preparing });
  } catch (error) {
    await giveUp(runtime, id, owned).catch(() => {});
    throw error;
  }
}

function chooseMode(
  { options: { permissions }, policySource }: RunningRuntime,
  { mode }: NamedSessionOptions,
  parent: ParentSession | undefined,
): SessionMode {
  const wanted = mode ?? permissions?.mode ?? policySource.current.mode;
  checkMode(wanted);
  return createSessionMode(wanted, () => [policySource.current.maxMode, parent?.mode.current]);
}

function chooseLimits(
  { options, dialects }: RunningRuntime,
  { budget }: NamedSessionOptions,
  parent: ParentSession | undefined,
): BudgetLimits | undefined {
  const given = budget ?? (parent ? {} : options.budget);
  checkBudget(given);
  return given && withCanonicalTools(given, dialects.names);
}

/** Releases a session that could not be opened, so that another process can open it before this one ends. */
async function giveUp({ store }: RunningRuntime, id: string, owned: OwnedSession): Promise<void> {
  await store.append(id, { events: [], variables: [releaseWrite(id, owned)], fence: owned.fence });
}

async function openOwned(
  runtime: RunningRuntime,
  options: NamedSessionOptions,
  { preparing, ...start }: SessionStart & { readonly preparing: Promise<unknown> },
): Promise<Session> {
  const { id } = options;
  const { parent, owned, mode } = start;
  const { taskId, resumed, dialect } = owned;
  if (resumed && options.fork !== undefined) throw alreadyThere(id);
  const workspace = await withOutputs(runtime, options);
  const state = await openState(runtime, options, start);
  const session = createSessionView(
    { id, mode, workspace: workspace.root, dialect },
    runtime.parts.map((part) => part.view?.({ allowedKinds: parent?.allowedKinds })),
  );
  const tools = await openOfferedTools(runtime, session, { names: options.tools, kept: state.kept, mode });
  await preparing;
  const parts = await openParts(runtime.parts, {
    ...runtime,
    ...state,
    ...{ id, taskId, dialect, parent, workspace, tools, given: options },
  });
  const host = createCallHost(runtime, { state, options, session, workspace, tools, parts });
  try {
    await begin(runtime, options, { state, parts, resumed });
  } catch (error) {
    // Services that watch files or run commands would keep the process alive.
    await closeParts(parts).catch(() => {});
    throw error;
  }
  return serveSession(runtime, { host, state, tools, parts, owned });
}

/**
 * Lets a session read its stored outputs and those of the conversation it began with, and no others, which may be another
 * client's.
 */
async function withOutputs({ store, outputs, workspace }: RunningRuntime, { id, fork }: NamedSessionOptions) {
  const sources = await findForkSources(store, id, fork);
  return [id, ...sources].reduce(
    (readable, source) => readable.withReadable(join(outputs.path, source)),
    workspace,
  );
}

/** Records that the session is open, and where its conversation begins. */
async function begin(
  { store, hooks, workspace }: RunningRuntime,
  { id, fork }: NamedSessionOptions,
  { state: { log, taint }, parts, resumed }: Pick<ServedSession, "state" | "parts"> & { resumed: boolean },
): Promise<void> {
  const source = resumed ? "resume" : "startup";
  await askHooks(hooks().event, { event: "SessionStart", sessionId: id, source });
  const opened = { type: "session-open", resumed, workspace: workspace.root } as const;
  if (fork === undefined) {
    await log.append([opened]);
    return;
  }
  const { from, before = (await store.readLastSequence(from)) + 1 } = fork;
  // Known before the conversation that it came with.
  await taint.add(await readTaint(store, from));
  await log.append([{ type: "conversation-fork", from, before }, opened]);
  // The capabilities get the state that those of the forked session had.
  for (const part of parts) await part.restore?.(readLog(store, from, 0), before);
}

/** What tool descriptions may depend on: the session, and what its capabilities add. */
function createSessionView(
  { mode, ...fixed }: Pick<SessionView, "id" | "workspace" | "dialect"> & { readonly mode: SessionMode },
  added: readonly (Partial<SessionView> | undefined)[],
): SessionView {
  const view: SessionView = {
    ...fixed,
    get mode() {
      return mode.current;
    },
  };
  for (const each of added) {
    if (each !== undefined) Object.defineProperties(view, Object.getOwnPropertyDescriptors(each));
  }
  return view;
}

/** Opens the tools of a session, or only those of the names, and says of each whether a call of it could pass. */
async function openOfferedTools(
  runtime: RunningRuntime,
  session: SessionView,
  { names, kept, mode }: { names: readonly string[] | undefined; kept: SessionKept; mode: SessionMode },
): Promise<OfferedTools> {
  const { policySource, services, lacking } = runtime;
  const allows = names && runtime.filterTools(names);
  const { toolSearch, view, limitTools } = onlyAllowed(runtime.dialects.speak(session.dialect), allows);
  const whyDenied = (entry: RegisteredTool) => {
    const by = { rules: policySource.current.rules, mode: mode.current };
    return whyNeverAllowed(entry, by) ?? whyLacking(entry.tool.traits, services, lacking);
  };
  const revision = createRevision(() => [policySource.current, mode.current]);
  const allowance: ToolAllowance = {
    isNeverAllowed: (entry) => whyDenied(entry) !== undefined,
    get revision() {
      return revision();
    },
    refresh: policySource.refresh,
  };
  const choice = await openTools(toolSearch, { kept, session: () => session, allowance });
  return { view, limitTools, allows, allowance, whyDenied, choice };
}

/** Agents of the session may be limited further, but get nothing that it does not have. */
function onlyAllowed(spoken: SpokenDialect, allows: ToolFilter | undefined): SpokenDialect {
  if (allows === undefined) return spoken;
  const limitTools: SpokenDialect["limitTools"] = (more) =>
    spoken.limitTools((tool) => allows(tool) && more(tool));
  return { ...spoken, ...spoken.limitTools(allows), limitTools };
}

/** Returns the same object until one of the values changes. */
function createRevision(values: () => readonly unknown[]): () => unknown {
  let last: readonly unknown[] = [];
  return () => {
    const next = values();
    if (last.length !== next.length || next.some((value, index) => value !== last[index])) last = next;
    return last;
  };
}
