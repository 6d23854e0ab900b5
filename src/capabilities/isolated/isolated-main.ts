import { watchParent } from "../../machine/child/answer-tasks.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { findExportedTool } from "./find-exported-tool.ts";
import { createIsolatedContext, type IsolatedContext } from "./isolated-context.ts";
import {
  type CallMessage,
  type FromProcess,
  type SentOutcome,
  type ToProcess,
  toSentError,
} from "./isolated-messages.ts";
import { loadForIsolated } from "./loading-isolated.ts";

// The program in which an isolated tool runs. The code is the user's own and may do anything here; it gets one call at a
// time, and a context that asks the runtime.

const loaded = new Map<string, Promise<AnyTool>>();
let current: IsolatedContext | undefined;

watchParent({ endsGroup: true });
process.on("disconnect", () => process.exit());
process.on("message", (message: ToProcess) => {
  if (message.kind === "call") void perform(message);
  else current?.receive(message);
});
process.on("unhandledRejection", (reason) => send({ kind: "stray", error: toSentError(reason) }));
process.on("uncaughtException", (error) => {
  // Whatever it was about to do, nobody knows what state it is in.
  send({ kind: "crash", error: toSentError(error) }, () => process.kill(process.pid, "SIGKILL"));
});

async function perform({ module, tool, handler, given, facts }: CallMessage): Promise<void> {
  const context = createIsolatedContext(facts, send);
  current = context;
  let outcome: SentOutcome;
  try {
    const found = await load(module, tool);
    const handle = found[handler] as (given: unknown, context: object) => unknown;
    outcome = { value: await handle(given, context.context) };
  } catch (error) {
    outcome = { error: { ...toSentError(error), isAbort: context.isOwnReason(error) } };
  }
  const memoryBytes = process.memoryUsage.rss();
  const reports = context.takeReports();
  try {
    send({ kind: "result", outcome, reports, memoryBytes });
  } catch (cause) {
    const error = context.cannotReturn(cause);
    send({ kind: "result", outcome: { error: toSentError(error) }, reports, memoryBytes });
  }
}

function load(module: string, name: string): Promise<AnyTool> {
  const key = `${name} ${module}`;
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const loading = loadForIsolated(() => import(module)).then((exported) => findExportedTool(exported, name));
  loaded.set(key, loading);
  return loading;
}

function send(message: FromProcess, onSent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, onSent);
}
