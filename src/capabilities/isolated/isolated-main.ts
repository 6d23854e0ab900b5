import { isTool } from "../../kernel/registry/index.ts";
import { answerParent, cannotBeSent, type Message, toSentError } from "../../machine/child/index.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createIsolatedContext, type IsolatedContext } from "./isolated-context.ts";
import type { AskedOfProcess } from "./isolated-messages.ts";
import { loadForIsolated } from "./loading-isolated.ts";

// The program in which an isolated tool runs. The code is the user's own and may do anything here; it gets one call at a
// time, and a context that asks the runtime.

const loaded = new Map<string, Promise<AnyTool>>();
let current: IsolatedContext | undefined;

const runtime = answerParent({
  answer(name, given, signal) {
    if (name === "call") return perform(given as AskedOfProcess["call"], signal);
    if (name === "callback") return current?.callBack(given as AskedOfProcess["callback"]);
    current?.moveDeadline(given as AskedOfProcess["deadline"]);
  },
  unsendable: (name, cause) =>
    name === "callback"
      ? cannotBeSent("the result of the callback", cause)
      : new ToolError("invalid-output", cannotBeSent("the result", cause).message, {
          hint: "Return text, plain objects, arrays, numbers, true, false or null.",
        }),
});
process.on("unhandledRejection", (reason) => runtime.tell("stray", toSentError(reason)));
process.on("uncaughtException", (error) => {
  // It may be in any state, whatever it was about to do.
  const crash: Message = { tell: "crash", given: toSentError(error) };
  process.send?.(crash, undefined, undefined, () => process.kill(process.pid, "SIGKILL"));
});

async function perform(
  { module, tool, handler, given, facts, maxRestingBytes }: AskedOfProcess["call"],
  signal: AbortSignal,
): Promise<unknown> {
  const context = createIsolatedContext(facts, { runtime, signal });
  current = context;
  try {
    const found = await load(module, tool);
    const handle = found[handler] as (given: unknown, context: object) => unknown;
    return await handle(given, context.context);
  } finally {
    context.flush();
    if (process.memoryUsage.rss() > maxRestingBytes) runtime.tell("grown", undefined);
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

/** The tool of this name among what a module exports: a tool, a list of tools, or a plugin with tools. */
function findExportedTool(exported: object, name: string): AnyTool {
  const found = toolsIn(exported).find((tool) => tool.name === name);
  if (found !== undefined) return found;
  throw new ToolError("tool-failed", `${name} is isolated, and its module exports no tool of that name`, {
    hint: "Export the tool, or a list or plugin with it, from the module that its trait isolated names.",
  });
}

function toolsIn(exported: object): readonly AnyTool[] {
  // Compilers to CommonJS put the default export one level deeper.
  const values = Object.values(exported).flatMap((value) =>
    isObject(value) && "default" in value ? [value, value.default] : [value],
  );
  return values.flatMap((value) => {
    if (isTool(value)) return [value];
    const list = isObject(value) && "tools" in value ? value.tools : value;
    return Array.isArray(list) ? list.map(unwrap).filter(isTool) : [];
  });
}

/** A list may say of a tool that it overrides another. */
function unwrap(entry: unknown): unknown {
  return isObject(entry) && "tool" in entry ? entry.tool : entry;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
