import type { Dialect } from "../runtime/dialects/dialect.ts";
import { createDialectView } from "../runtime/dialects/dialect-view.ts";
import { beginCall } from "../runtime/pipeline/begin-call.ts";
import type { CallEnvironment, ResolvedCall } from "../runtime/pipeline/call.ts";
import { resolveTool } from "../runtime/pipeline/resolve-tool.ts";
import { createApprovals } from "../runtime/policy/approvals/approvals.ts";
import { createRegistry } from "../runtime/registry/create-registry.ts";
import { createFreshnessPool } from "../runtime/services/files/freshness-pool.ts";
import { readingScope } from "../runtime/services/files/reading-scope.ts";
import { openWorkspace } from "../runtime/services/files/workspace.ts";
import { openSearch } from "../runtime/services/search/open-search.ts";
import { createBudget } from "../runtime/sessions/budget.ts";
import { createOpenCalls } from "../runtime/sessions/open-calls.ts";
import { createVariables } from "../runtime/sessions/variables.ts";
import { createRedactor } from "../shared/secrets/redact.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import type { Files } from "../tool/services/files.ts";
import type { Answer, Question } from "../tool/services/question.ts";
import type { Search } from "../tool/services/search.ts";
import type { Variables } from "../tool/tool-context.ts";
import { ToolError } from "../tool/tool-error.ts";
import { createRecordingLog, type Told } from "./recording-log.ts";

export interface TestOptions {
  /** A folder that exists; without one, using files fails. */
  readonly workspace?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly taskVariables?: Readonly<Record<string, unknown>>;
  /** Answers what the tool asks the person; without it there is nobody to ask. */
  readonly answers?: (question: Question) => Answer;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export const defaultTimeoutMs = 60_000;

/** A call as the runtime's own stages expect it, in an environment that only remembers. */
export async function beginTestCall(
  tool: AnyTool,
  input: unknown,
  options: TestOptions,
): Promise<{ call: ResolvedCall; told: Told }> {
  const { log, told } = createRecordingLog();
  const environment = { ...(await createEnvironment(tool, options)), log };
  const { signal, timeoutMs } = options;
  const request = {
    name: tool.name,
    input,
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return { call: resolveTool(beginCall(environment, request)), told };
}

async function createEnvironment(tool: AnyTool, options: TestOptions): Promise<Omit<CallEnvironment, "log">> {
  const { workspace: folder, answers } = options;
  const workspace = folder === undefined ? undefined : await openWorkspace({ root: folder });
  const freshness = createFreshnessPool();
  const registry = createRegistry();
  registry.register(tool, { layer: "inline" });
  return {
    session: { id: "test", workspace: workspace?.root ?? "", dialect: ownWords.name, mode: "auto" },
    openCalls: createOpenCalls(),
    run: "test",
    caller: { kind: "code", name: "test" },
    dialect: createDialectView(ownWords, registry),
    hooks: { beforeCall: [], afterCall: [] },
    rules: { allow: [], ask: [], deny: [] },
    mode: "auto",
    approvals: createApprovals({ queue: false }),
    budget: createBudget(),
    redactor: createRedactor(),
    variables: startVariables(options.variables),
    taskVariables: startVariables(options.taskVariables),
    defaultTimeoutMs,
    breathe: () => undefined,
    judgePath: async () => ({}),
    files: ({ signal, onChange }) =>
      workspace?.files({ ...readingScope(signal), freshness, mode: "apply", onChange }) ?? noFiles,
    revert: refuseFiles,
    keepUndo: async () => undefined,
    readUndo: async () => undefined,
    receipts: async () => [],
    turns: startVariables(),
    search: (signal, mayShow) =>
      workspace === undefined ? noSearch : openSearch({ workspace }).forCall({ signal, mayShow }),
    keepOutput: async () => "",
    ...(answers && { askPerson: async (question: Question) => answers(question) }),
  };
}

/** Every tool under its own name, with its own arguments. */
const ownWords: Dialect = {
  name: "test",
  pathPolicy: "any",
  tools: {},
  output: { maxCharacters: Number.POSITIVE_INFINITY, headShare: 1 },
};

function startVariables(values: Readonly<Record<string, unknown>> = {}): Variables {
  return createVariables("test", new Map(Object.entries(values)), () => {});
}

const noFiles: Files = {
  readLines: refuseFiles,
  describe: refuseFiles,
  readImage: refuseFiles,
  list: refuseFiles,
  readText: refuseFiles,
  writeText: refuseFiles,
  updateText: refuseFiles,
  editTexts: refuseFiles,
  applyPatch: refuseFiles,
  remove: refuseFiles,
  makeDirectory: refuseFiles,
  move: refuseFiles,
  copy: refuseFiles,
};

const noSearch: Search = {
  glob: refuseFiles,
  grep: refuseFiles,
  grepFiles: refuseFiles,
  grepCounts: refuseFiles,
};

async function refuseFiles(): Promise<never> {
  throw new ToolError("unavailable", "this test has no files", { hint: "Give it a workspace." });
}
