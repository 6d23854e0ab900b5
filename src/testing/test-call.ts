import { filesService } from "../capabilities/files/files-service.ts";
import { openWorkspace, type Workspace } from "../capabilities/files/workspace.ts";
import { questionsService } from "../capabilities/questions/questions-service.ts";
import { searchService } from "../capabilities/search/search-service.ts";
import { services } from "../capabilities.ts";
import { beginCall } from "../kernel/call/begin-call.ts";
import type { ResolvedCall } from "../kernel/call/call.ts";
import type { CallHost } from "../kernel/call/call-host.ts";
import { noHooks } from "../kernel/call/hooks/hooks.ts";
import { createLoopWatch } from "../kernel/call/loops/loop-watch.ts";
import { resolveTool } from "../kernel/call/resolve-tool.ts";
import type { Dialect } from "../kernel/dialects/dialect.ts";
import { createDialectView } from "../kernel/dialects/dialect-view.ts";
import { canonical } from "../kernel/dialects/tables/canonical.ts";
import { withoutPeople } from "../kernel/people/people.ts";
import { noGrants } from "../kernel/policy/rules/grants.ts";
import { createRegistry } from "../kernel/registry/create-registry.ts";
import { createBudget } from "../kernel/session/budget.ts";
import { openKept } from "../kernel/session/kept/kept.ts";
import { createOpenCalls } from "../kernel/session/open-calls.ts";
import type { SessionLog } from "../kernel/session/session-log.ts";
import { createVariables } from "../kernel/session/variables.ts";
import { noBlobs } from "../kernel/store/blobs/blob-store.ts";
import { foreign, knownKeys, mapOf, value } from "../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import { createRedactor } from "../shared/secrets/redact.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import type { Answer, Question } from "../tool/services/question.ts";
import type { Variables } from "../tool/tool-context.ts";
import { ToolError } from "../tool/tool-error.ts";
import { createRecordingLog, type RecordedOutput } from "./recording-log.ts";

export interface TestOptions {
  /** A folder that exists; without one, using files fails. */
  readonly workspace?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly taskVariables?: Readonly<Record<string, unknown>>;
  /** Answers the tool's questions; without it there is nobody to ask. */
  readonly answers?: (question: Question) => Answer;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** What the tool finds in `context.maxOutputCharacters`. Default: no limit. */
  readonly maxOutputCharacters?: number;
}

export const testKeys = knownKeys<TestOptions>({
  workspace: value,
  variables: mapOf(foreign),
  taskVariables: mapOf(foreign),
  answers: value,
  signal: foreign,
  timeoutMs: value,
  maxOutputCharacters: value,
});

export const defaultTimeoutMs = 60_000;

/** A call as the pipeline's stages expect it, in a session that exists only in memory. */
export async function beginTestCall(
  tool: AnyTool,
  input: unknown,
  options: TestOptions,
): Promise<{ call: ResolvedCall; recorded: RecordedOutput }> {
  refuseUnknownKeys(options, testKeys, "the test's options");
  const { log, recorded } = createRecordingLog();
  const host = await createHost(tool, options, log);
  const { signal, timeoutMs } = options;
  const request = {
    name: tool.name,
    input,
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return { call: resolveTool(beginCall(host, request)), recorded };
}

async function createHost(tool: AnyTool, options: TestOptions, log: SessionLog): Promise<CallHost> {
  const { workspace: folder, answers } = options;
  const redactor = createRedactor();
  const onQuestion = answers && (async (question: Question) => answers(question));
  const questions = await questionsService.open({
    log,
    redactor,
    onQuestion,
    questionQueue: withoutPeople().questions,
  });
  const workspace = folder === undefined ? undefined : await openWorkspace({ root: folder });
  const registry = createRegistry();
  registry.register(tool, { layer: "inline" });
  return {
    session: { id: "test", workspace: workspace?.root ?? "", dialect: canonical.name, mode: "auto" },
    run: {
      id: "test",
      caller: { kind: "code", name: "test" },
      openCalls: createOpenCalls(),
      defaultTimeoutMs,
      isStrict: false,
      strays: { run: (_onStray, work) => work() },
      isolated: undefined,
      yieldToEventLoop: () => undefined,
    },
    dialect: createDialectView(withLimit(options), registry),
    offerTool: () => {},
    policy: {
      current: { rules: { allow: [], ask: [], deny: [] }, mode: "auto" },
      paths: workspace ? { ...workspace, floorOf: () => undefined } : nowhere,
      listTree: nothing,
    },
    people: { approvals: withoutPeople().approvals, grants: noGrants },
    budget: createBudget(),
    log,
    redactor,
    stages: {
      hooks: noHooks,
      loops: createLoopWatch(),
      secrets: { sources: {}, read: () => Promise.reject(new Error("there are none")) },
      checks: undefined,
      receiptFields: new Map(),
    },
    kept: {
      variables: startVariables(options.variables),
      taskVariables: startVariables(options.taskVariables),
      taint: { add: async () => {} },
      undo: {
        keep: async () => undefined,
        read: async () => undefined,
        diff: async () => undefined,
        turns: startVariables(),
        revert: nothing,
        settle: () => {},
      },
      receipts: nothing,
      output: async () => "",
    },
    services: {
      table: services,
      opened: { questions, ...(workspace && (await openFileServices(workspace, log))) },
      missing: (name) => (name === "files" || name === "search" ? noFiles() : undefined),
    },
  };
}

/** Files are really changed, and their old content is not kept. */
async function openFileServices(workspace: Workspace, log: SessionLog) {
  const kept = openKept({ store: { readVariables: async () => new Map() }, log }, "test");
  return {
    files: await filesService.open({ id: "test", kept, log, workspace, blobs: noBlobs }),
    search: await searchService.open({ workspace }),
  };
}

const nowhere: CallHost["policy"]["paths"] = {
  root: "",
  floorOf: () => undefined,
  async resolve() {
    throw noFiles();
  },
};

async function nothing(): Promise<[]> {
  return [];
}

function noFiles(): ToolError {
  return new ToolError("unavailable", "this test has no workspace", { hint: "Pass the option workspace." });
}

function withLimit({ maxOutputCharacters = Number.POSITIVE_INFINITY }: TestOptions): Dialect {
  return { ...canonical, output: { ...canonical.output, maxCharacters: maxOutputCharacters } };
}

function startVariables(values: Readonly<Record<string, unknown>> = {}): Variables {
  return createVariables("test", new Map(Object.entries(values)), () => {});
}
