import { openWorkspace } from "../capabilities/files/workspace.ts";
import { type CallHost, createLoopWatch, noHooks } from "../kernel/call/index.ts";
import { canonical, createDialectView } from "../kernel/dialects/index.ts";
import { withoutPeople } from "../kernel/people/index.ts";
import { noGrants } from "../kernel/policy/index.ts";
import { createRegistry } from "../kernel/registry/index.ts";
import { createBudget, createOpenCalls, createVariables, type SessionLog } from "../kernel/session/index.ts";
import { createRedactor } from "../shared/secrets/redact.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import type { Variables } from "../tool/tool-context.ts";
import type { TestOptions } from "./test-options.ts";
import { nowhere, openTestServices } from "./test-services.ts";

/** Makes the parts of a session in memory for the one call of a test. */
export async function createHost(tool: AnyTool, options: TestOptions, log: SessionLog): Promise<CallHost> {
  const { workspace: folder, maxOutputCharacters = Number.POSITIVE_INFINITY } = options;
  const output = { ...canonical.output, maxCharacters: maxOutputCharacters };
  const redactor = createRedactor();
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
    dialect: createDialectView({ ...canonical, output }, registry),
    offerTool: () => {},
    policy: {
      current: { rules: { allow: [], ask: [], deny: [] }, mode: "auto" },
      paths: workspace ? { ...workspace, floorOf: () => undefined } : nowhere,
      listTree: nothing,
    },
    people: { approvals: withoutPeople().approvals, grants: noGrants, onApproval: () => {} },
    budget: createBudget(),
    log,
    redactor,
    stages: {
      hooks: () => noHooks,
      loops: createLoopWatch(),
      secrets: { sources: {}, read: () => Promise.reject(new Error("there are none")) },
      ...{ checks: undefined, receiptFields: new Map(), onEnd: [] },
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
    services: await openTestServices(options, { workspace, log, redactor }),
  };
}

async function nothing(): Promise<[]> {
  return [];
}

function startVariables(values: Readonly<Record<string, unknown>> = {}): Variables {
  return createVariables("test", new Map(Object.entries(values)), () => {});
}

export const defaultTimeoutMs = 60_000;
