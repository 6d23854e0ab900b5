import { setMaxListeners } from "node:events";
import { isAbsolute, relative as relativePath, resolve as resolvePath } from "node:path";
import type { Places } from "./open-places.ts";
import type { DialectView, PresentedTool } from "./runtime/dialects/dialect-view.ts";
import type { LoggedEvent } from "./runtime/events/session-event.ts";
import { type Approvals, createApprovals } from "./runtime/permissions/approvals.ts";
import type { JudgedRequest, Mode } from "./runtime/permissions/decide.ts";
import type { Rules } from "./runtime/permissions/rule.ts";
import type { Verdict } from "./runtime/permissions/verdict.ts";
import type {
  CallEnvironment,
  CallRequest,
  CallResult,
  FileUse,
  UndoRecord,
} from "./runtime/pipeline/call.ts";
import { callAll } from "./runtime/pipeline/call-all.ts";
import { explainCall } from "./runtime/pipeline/explain-call.ts";
import type { HookChain } from "./runtime/pipeline/hooks.ts";
import { runCall } from "./runtime/pipeline/run-call.ts";
import { undoCall } from "./runtime/pipeline/undo-call.ts";
import { openSearch } from "./runtime/search/open-search.ts";
import { type Budget, type BudgetLimits, createBudget } from "./runtime/sessions/budget.ts";
import { type EventQuery, streamEvents } from "./runtime/sessions/event-stream.ts";
import { createOpenCalls } from "./runtime/sessions/open-calls.ts";
import { createSessionLog } from "./runtime/sessions/session-log.ts";
import { beginRun } from "./runtime/sessions/session-run.ts";
import { createVariables } from "./runtime/sessions/variables.ts";
import type { FileScope } from "./runtime/workspace/file-scope.ts";
import { createFreshnessPool } from "./runtime/workspace/freshness-pool.ts";
import { watchFiles } from "./runtime/workspace/watch-files.ts";
import { checkMode, type RuntimeOptions } from "./runtime-options.ts";
import { createBreather } from "./shared/breather.ts";
import { newId } from "./shared/new-id.ts";
import type { Redactor } from "./shared/redact.ts";
import type { Caller, Variables } from "./tool/tool-context.ts";

export interface SessionOptions {
  /** Resumes the session of this id where there is one. */
  readonly id?: string;
  /** Sessions that name the same task share its variables. */
  readonly taskId?: string;
  readonly caller?: Caller;
  readonly mode?: Mode;
  readonly budget?: BudgetLimits;
  /** Notes in the log (`file_changed`) when a file that the session has read changes without its doing. */
  readonly watchFiles?: boolean;
}

export type CallOptions = Pick<CallRequest, "id" | "signal" | "timeoutMs" | "onProgress" | "caller">;

export type UndoOptions = Pick<CallRequest, "id" | "signal" | "caller">;

export interface Session {
  readonly id: string;
  readonly resumed: boolean;
  readonly variables: Variables;
  readonly taskVariables: Variables;
  readonly budget: Pick<Budget, "limits" | "used">;
  readonly approvals: Pick<Approvals, "list" | "decide">;
  /** Calls a tool. Never rejects: whatever goes wrong is told in the result. */
  call(name: string, input?: unknown, options?: CallOptions): Promise<CallResult>;
  /** Calls several tools, together where they are safe beside each other; results in the order of the calls. */
  callAll(calls: readonly CallRequest[]): Promise<CallResult[]>;
  /** The verdict a call would get and why, without running it. Rejects when there is no such tool or the input is invalid. */
  explain(name: string, input?: unknown): Promise<Verdict>;
  /** What a call would change, as a diff where files are concerned; nothing is changed. */
  dryRun(name: string, input?: unknown, options?: CallOptions): Promise<CallResult>;
  /** Takes back what a call did, unless something has changed since. */
  undo(callId: string, options?: UndoOptions): Promise<CallResult>;
  /** Does again what was undone. */
  redo(callId: string, options?: UndoOptions): Promise<CallResult>;
  /** The whole catalogue in the session's dialect. */
  tools(options?: { format?: "json" }): PresentedTool[];
  /** What happened since a bookmark, then what happens, until the session closes. */
  events(query?: EventQuery): AsyncGenerator<LoggedEvent, void, void>;
  /** Cancels the calls that run, waits for them, and ends the event streams. */
  close(): Promise<void>;
  readonly closed: Promise<void>;
  /** False as soon as closing has begun. */
  readonly isOpen: boolean;
}

/** What every session of a runtime shares. */
export interface SessionParts extends Omit<Places, "close"> {
  readonly options: RuntimeOptions;
  readonly dialect: string;
  readonly view: DialectView;
  readonly rules: Rules;
  readonly hooks: () => HookChain;
  readonly redactor: Redactor;
  readonly defaultTimeoutMs: number;
  readonly taskVariables: Map<string, Promise<Map<string, unknown>>>;
}

export async function openSession(parts: SessionParts, options: SessionOptions): Promise<Session> {
  const { store, workspace, view } = parts;
  const id = options.id ?? newId("session");
  checkSessionId(id);
  const mode = options.mode ?? parts.options.permissions?.mode ?? "ask";
  checkMode(mode);
  const budget = createBudget(options.budget ?? parts.options.budget);

  const { taskId: givenTask } = options;
  const { taskId, resumed } = await store.openSession({
    id,
    workspace: workspace.root,
    ...(givenTask !== undefined && { taskId: givenTask }),
  });
  if (givenTask !== undefined && givenTask !== taskId) {
    throw new TypeError(`session ${id} belongs to task ${taskId} and cannot change to ${givenTask}`);
  }
  const log = createSessionLog(store, id);
  const run = await beginRun(store, id, log);
  const openCalls = createOpenCalls();
  const search = openSearch({ workspace, hiddenFolders: [parts.stateFolder] });
  const ending = new AbortController();
  // However many streams there are, each listens for the session's end.
  setMaxListeners(0, ending.signal);
  const closed = Promise.withResolvers<void>();

  const freshnessScope = `freshness:${id}`;
  const freshness = createFreshnessPool({
    known: (await store.readVariables(freshnessScope)) as Map<string, string>,
    onChange: (path, hash) => log.noteVariable({ scope: freshnessScope, name: path, value: hash }),
  });
  const scopeOf = ({ signal, isPreview, onChange, admit }: FileUse): FileScope => ({
    signal,
    freshness,
    blobs: parts.blobs,
    onChange,
    mode: isPreview ? "preview" : "apply",
    requireReadBeforeWrite: parts.options.requireReadBeforeWrite ?? false,
    ...(admit && { admit }),
  });
  const sessionScope = `session:${id}`;
  const taskScope = `task:${taskId}`;
  const turnsScope = `turns:${id}`;
  const { onApproval, onQuestion, approvals: queue, caller } = parts.options;
  const environment: CallEnvironment = {
    session: { id, workspace: workspace.root, dialect: parts.dialect, mode },
    openCalls,
    run: run.id,
    caller: options.caller ?? caller ?? { kind: "code", name: "toolwright" },
    dialect: view,
    get hooks() {
      return parts.hooks();
    },
    rules: parts.rules,
    mode,
    approvals: createApprovals({ handler: onApproval, queue: queue === "queue" }),
    budget,
    log,
    redactor: parts.redactor,
    variables: createVariables(sessionScope, await store.readVariables(sessionScope), log.noteVariable),
    taskVariables: createVariables(taskScope, await sharedVariables(parts, taskScope), log.noteVariable),
    defaultTimeoutMs: parts.defaultTimeoutMs,
    breathe: createBreather(),
    judgePath: (path, judging) => judgePath(parts, path, judging),
    files: (use) => workspace.files(scopeOf(use)),
    revert: (changes, use) => workspace.revert(changes, scopeOf(use)),
    keepUndo: async (record) => {
      const { hash, kept } = await parts.blobs.keepBytes(Buffer.from(JSON.stringify(record)));
      return kept ? hash : undefined;
    },
    readUndo: async (name) => {
      const bytes = await parts.blobs.read(name);
      return bytes && (JSON.parse(bytes.toString()) as UndoRecord);
    },
    turns: createVariables(turnsScope, await store.readVariables(turnsScope), log.noteVariable),
    receipts: (query) => store.readReceipts({ ...query, sessionId: id }),
    search: (signal, mayShow, admit) => search.forCall({ signal, mayShow, admit }),
    keepOutput: (text) => parts.outputs.keep(id, text),
    ...(onQuestion && { askPerson: onQuestion }),
  };
  await log.append([{ type: "session-opened", resumed, workspace: workspace.root }]);

  const watch = options.watchFiles
    ? await watchFiles(workspace.root, {
        freshness,
        onChange: (path, kind) =>
          log.note({ type: "file_changed", path: relativeInside(workspace.root, path) ?? path, kind }),
      })
    : undefined;

  return {
    id,
    resumed,
    variables: environment.variables,
    taskVariables: environment.taskVariables,
    budget,
    approvals: environment.approvals,
    call: (name, input, callOptions = {}) => runCall(environment, { ...callOptions, name, input }),
    callAll: (calls) => callAll(environment, calls),
    explain: (name, input) => explainCall(environment, { name, input }),
    dryRun: (name, input, callOptions = {}) =>
      runCall(environment, { ...callOptions, name, input, isDryRun: true }),
    undo: (callId, callOptions = {}) => undoCall(environment, { ...callOptions, callId, direction: "undo" }),
    redo: (callId, callOptions = {}) => undoCall(environment, { ...callOptions, callId, direction: "redo" }),
    tools: ({ format = "json" } = {}) => {
      if (format !== "json")
        throw new TypeError(`tools: the format must be "json"; received ${JSON.stringify(format)}`);
      return view.list(environment.session);
    },
    events: (query = {}) => streamEvents(store, id, { ...query, signal: ending.signal }),
    closed: closed.promise,
    get isOpen() {
      return !openCalls.isClosed;
    },
    async close() {
      if (openCalls.isClosed) return closed.promise;
      try {
        // Closed from here on, before anything is waited for: whoever closes it again waits for this one.
        const cancelled = openCalls.cancelAll(new Error("the session was closed"));
        await watch?.close();
        await cancelled;
        run.end();
        await log.append([{ type: "session-closed" }]);
        await store.closeSession(id);
      } finally {
        await search.close();
        ending.abort();
        closed.resolve();
      }
    },
  };
}

function checkSessionId(id: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id)) {
    throw new TypeError(
      `a session's id must be 1 to 128 letters, digits, ".", "_" or "-"; received ${JSON.stringify(id)}`,
    );
  }
}

/** One map per task, however many sessions work on it. */
function sharedVariables(
  { store, taskVariables }: SessionParts,
  scope: string,
): Promise<Map<string, unknown>> {
  const known = taskVariables.get(scope) ?? store.readVariables(scope);
  taskVariables.set(scope, known);
  return known;
}

/** Where a path leads and what the floor says of it, in the words that permission rules use. */
async function judgePath(
  { workspace, stateFolder, outputs }: SessionParts,
  path: string,
  { action, followLast }: { action: "read" | "write"; followLast: boolean },
): Promise<Pick<JudgedRequest, "path" | "floor">> {
  const { resolved, floor } = await workspace.judge(path, action, { followLast });
  const { canonical, relative } = resolved;
  const written = resolvePath(workspace.root, path);
  const paths = {
    real: { absolute: canonical, relative },
    written: { absolute: written, relative: relativeInside(workspace.root, written) },
    isInside: resolved.inside,
  };
  // The state folder may lie inside a workspace such as the home folder; what we keep there is still not for tools.
  const isOwnState = relativeInside(stateFolder, canonical) !== undefined;
  const isKeptOutput = action === "read" && relativeInside(outputs.path, canonical) !== undefined;
  if (isOwnState && !isKeptOutput) {
    return {
      path: paths,
      floor: { decision: "deny", reason: `${path} belongs to Toolwright's own records` },
    };
  }
  return { path: paths, ...(floor && { floor }) };
}

function relativeInside(folder: string, path: string): string | undefined {
  const between = relativePath(folder, path);
  if (between === "") return ".";
  return between === ".." || between.startsWith("../") || isAbsolute(between) ? undefined : between;
}
