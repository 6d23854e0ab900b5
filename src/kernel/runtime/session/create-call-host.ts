import { createEventLoopYield } from "../../../shared/event-loop-yield.ts";
import type { SessionView } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type CallHost, createLoopWatch, createUndoStore } from "../../call/index.ts";
import { openPolicy, type Policy } from "../../policy/index.ts";
import { offerIn } from "../../tool-search/index.ts";
import { broughtBy } from "../capability.ts";
import type { RuntimePlaces } from "../opening.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { NamedSessionOptions } from "../session.ts";
import type { OpenState } from "./open-state.ts";
import type { OfferedTools } from "./opening-session.ts";
import type { SessionPart } from "./session-part.ts";
import { servicesOf } from "./session-parts.ts";

interface HostParts {
  readonly state: OpenState;
  readonly options: NamedSessionOptions;
  readonly session: SessionView;
  readonly workspace: RuntimePlaces["workspace"];
  readonly tools: OfferedTools;
  readonly parts: readonly SessionPart[];
}

/** Joins the parts of a session that the path of its calls needs. */
export function createCallHost(runtime: RunningRuntime, given: HostParts): CallHost {
  const { state, options, session, tools, parts } = given;
  const { log, budget, approvals, grants, taint, openCalls, variables, taskVariables, run } = state;
  const { redactor, secrets, receiptFields, strays, store, outputs } = runtime;
  const { timeoutMs, strictInput, loops } = runtime.options;
  const [isolated] = broughtBy(runtime.parts, "isolated");
  const [checks] = broughtBy(parts, "checks");
  const [undo = nothingToUndo] = broughtBy(parts, "undo");
  return {
    session,
    run: {
      id: run.id,
      // Tools see it, and must not be able to change it for the next call.
      caller: Object.freeze({ ...(options.caller ?? runtime.caller) }),
      ...{ openCalls, strays, isolated },
      defaultTimeoutMs: timeoutMs ?? defaultTimeoutMs,
      isStrict: strictInput ?? false,
      yieldToEventLoop: createEventLoopYield(),
    },
    dialect: tools.view,
    offerTool: offerIn(tools.choice),
    policy: policyOf(runtime, given),
    people: { approvals, grants, onApproval: runtime.metrics.onApproval },
    ...{ budget, redactor, log },
    services: { table: runtime.services, opened: servicesOf(parts) },
    stages: {
      hooks: runtime.hooks,
      ...{ loops: createLoopWatch(loops), secrets, checks, receiptFields },
      onEnd: [runtime.metrics.onCall, ...broughtBy(parts, "onCall")],
    },
    kept: {
      ...{ variables, taskVariables, taint },
      undo: createUndoStore(runtime.blobs, { turns: state.turns, ...undo }),
      receipts: (query) => store.readReceipts({ ...query, sessionId: session.id }),
      output: (text) => outputs.keep(session.id, text),
    },
  };
}

const defaultTimeoutMs = 60_000;

/** The rules of the policy files and of people, and what capabilities know about what calls touch. */
function policyOf(runtime: RunningRuntime, { state, workspace, parts }: HostParts): Policy {
  const { policySource, sandbox } = runtime;
  const { grants, taint, mode } = state;
  const known = broughtBy(runtime.parts, "policy");
  const [databaseRequests] = broughtBy(known, "databaseRequests");
  const [listTree = async () => []] = broughtBy(parts, "listTree");
  const [shell = { locate: async () => workspace.root, environment: async () => ({}) }] = broughtBy(
    parts,
    "shell",
  );
  return openPolicy({
    source: policySource,
    ...{ grants, taint, mode, paths: workspace, listTree, shell, sandbox },
    isOwnHost: (name) => known.some(({ isOwnHost }) => isOwnHost?.(name)),
    databaseRequests,
  });
}

/** Stands for undo where no capability changes files. */
const nothingToUndo: NonNullable<SessionPart["undo"]> = {
  async revert() {
    throw new ToolError("unavailable", "this runtime does not support undoing changes");
  },
  diff: async () => undefined,
  settle() {},
};
