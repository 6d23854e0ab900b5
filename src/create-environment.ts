import type {
  ChildSession,
  ChildSessionOptions,
  Descent,
  ParentSession,
} from "./agent/sub-agents/child-session.ts";
import type { Places } from "./open-places.ts";
import type { DialectView } from "./runtime/dialects/dialect-view.ts";
import type { CallEnvironment, FileUse, UndoRecord } from "./runtime/pipeline/call.ts";
import type { HookChain } from "./runtime/pipeline/hooks/hooks.ts";
import { createApprovals } from "./runtime/policy/approvals/approvals.ts";
import type { Mode } from "./runtime/policy/decide.ts";
import { judgePath } from "./runtime/policy/paths/judge-place.ts";
import type { Rules } from "./runtime/policy/rules/rule.ts";
import type { Sandbox } from "./runtime/sandbox/sandbox.ts";
import type { FileScope } from "./runtime/services/files/file-scope.ts";
import { createFreshnessPool, type FreshnessPool } from "./runtime/services/files/freshness-pool.ts";
import type { OpenedProcesses } from "./runtime/services/processes/open-processes.ts";
import type { SessionSearch } from "./runtime/services/search/open-search.ts";
import { loadSkill } from "./runtime/services/skills/load-skill.ts";
import type { Budget } from "./runtime/sessions/budget.ts";
import type { OpenCalls } from "./runtime/sessions/open-calls.ts";
import type { SessionLog } from "./runtime/sessions/session-log.ts";
import type { SessionRun } from "./runtime/sessions/session-run.ts";
import { createVariables } from "./runtime/sessions/variables.ts";
import type { ToolAccess } from "./runtime/tool-search/limit-tools.ts";
import { catalogueOf } from "./runtime/tool-search/open-tools.ts";
import type { SessionTools, ToolSearchParts } from "./runtime/tool-search/session-tools.ts";
import type { ToolFilter } from "./runtime/tool-search/tool-filter.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { createBreather } from "./shared/breather.ts";
import type { Redactor } from "./shared/secrets/redact.ts";
import type { Caller } from "./tool/caller.ts";
import type { AgentKind } from "./tool/services/agents.ts";
import type { Tasks, Todos } from "./tool/services/tasks.ts";

/** What every session of a runtime shares. */
export interface SessionParts extends Omit<Places, "close"> {
  readonly options: RuntimeOptions;
  readonly dialect: string;
  readonly view: DialectView;
  /** The same for whoever may use only some of the tools. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
  readonly rules: Rules;
  readonly hooks: () => HookChain;
  readonly redactor: Redactor;
  readonly defaultTimeoutMs: number;
  readonly taskVariables: Map<string, Promise<Map<string, unknown>>>;
  readonly toolSearch: ToolSearchParts;
  /** Throws where a name means nothing. */
  readonly filterTools: (names: readonly string[]) => ToolFilter;
  /** The same in another folder, where commands may also read some that are not in it. */
  readonly inFolder: (root: string, readable: readonly string[]) => Promise<SessionParts>;
  /** Opens the session of an agent that was sent off. */
  readonly openChild: (options: ChildSessionOptions, parent: ParentSession) => Promise<ChildSession>;
  /** Found out when the first command is to run, unless one is required. */
  readonly sandbox: () => Promise<Sandbox>;
}

/** What one session brings along. */
export interface EnvironmentOptions {
  readonly id: string;
  readonly taskId: string;
  readonly mode: Mode;
  readonly caller?: Caller;
  readonly budget: Budget;
  readonly log: SessionLog;
  readonly run: SessionRun;
  readonly openCalls: OpenCalls;
  readonly search: SessionSearch;
  readonly freshness: FreshnessPool;
  readonly processes: OpenedProcesses;
  readonly tools: SessionTools;
  readonly tasks: Tasks;
  readonly todos: Todos;
  readonly agents: NonNullable<CallEnvironment["agents"]>;
  readonly parent?: ParentSession | undefined;
}

/** Everything that a call of this session meets on its way. */
export async function createEnvironment(
  parts: SessionParts,
  session: EnvironmentOptions,
): Promise<CallEnvironment> {
  const { store, workspace, view } = parts;
  const { id, taskId, mode, budget, log, run, openCalls, search, freshness, processes, parent } = session;
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
  return {
    session: {
      id,
      workspace: workspace.root,
      dialect: parts.dialect,
      mode,
      get skills() {
        return parts.skills.known();
      },
      get agents() {
        return kindsFor(parts, parent?.allowedKinds);
      },
    },
    openCalls,
    run: run.id,
    caller: session.caller ?? caller ?? { kind: "code", name: "toolwright" },
    dialect: view,
    get hooks() {
      return parts.hooks();
    },
    rules: parts.rules,
    mode,
    approvals: parent?.approvals ?? createApprovals({ handler: onApproval, queue: queue === "queue" }),
    budget,
    log,
    redactor: parts.redactor,
    variables: createVariables(sessionScope, await store.readVariables(sessionScope), log.noteVariable),
    taskVariables: createVariables(taskScope, await sharedVariables(parts, taskScope), log.noteVariable),
    defaultTimeoutMs: parts.defaultTimeoutMs,
    breathe: createBreather(),
    judgePath: (path, judging) => judgePath(parts, path, judging),
    files: (use) => workspace.files(scopeOf(use)),
    processes: processes.forCall,
    tools: catalogueOf(session.tools),
    agents: session.agents,
    tasks: session.tasks,
    todos: session.todos,
    skills: (files) => ({
      list: parts.skills.list,
      load: (name) => loadSkill(name, { catalogue: parts.skills, workspace, files }),
    }),
    readScript: async (script, directory) => {
      const { readCommands } = await import("./runtime/policy/commands/read-commands.ts");
      return readCommands(script, {
        directory: await processes.locate(directory),
        workspace: workspace.root,
        environment: await processes.environment(),
      });
    },
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
}

/** Those that may be sent off from the session: whoever chooses among them is not told of others. */
function kindsFor({ templates }: SessionParts, allowed: Descent["allowedKinds"]): readonly AgentKind[] {
  const known = templates.known();
  return allowed === undefined ? known : known.filter(({ name }) => allowed.includes(name));
}

/** What the session knows of files, also from an earlier run of it. */
export async function openFreshness(
  { store }: SessionParts,
  id: string,
  log: SessionLog,
): Promise<FreshnessPool> {
  const scope = `freshness:${id}`;
  return createFreshnessPool({
    known: (await store.readVariables(scope)) as Map<string, string>,
    onChange: (path, hash) => log.noteVariable({ scope, name: path, value: hash }),
  });
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
