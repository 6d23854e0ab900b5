import { serviceNames } from "../../tool/service-names.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { AskedOfRuntime, SentReports } from "./isolated-messages.ts";

/** Does what an isolated tool asks of its context, as if it had asked here: with the call's own gate and records. */
export async function answerUse(
  context: ToolContext,
  asked: string,
  { given, callbacks }: AskedOfRuntime["use"],
  { signal, callBack }: { signal: AbortSignal; callBack: (id: number, given: unknown) => Promise<unknown> },
): Promise<unknown> {
  const dot = asked.indexOf(".");
  const [service, method] = [asked.slice(0, dot), asked.slice(dot + 1)];
  const args = [...given];
  for (const [index, id] of callbacks) args[index] = (value: unknown) => callBack(id, value);
  if (service === "context" && method === "ask") return context.ask(args[0] as string, { signal });
  const name = serviceNames.find((each) => each === service);
  const view = name && (context[name] as unknown as Record<string, (...given: unknown[]) => unknown>);
  if (view === undefined || method in Object.prototype || !(method in view)) {
    throw new ToolError("unsupported", `a context has no ${asked}`);
  }
  return view[method]!(...args);
}

/** Passes on what an isolated tool has reported and written. */
export function takeReports(context: ToolContext, { reports, leftOut, writes }: SentReports): void {
  for (const { scope, name, value } of writes) {
    if (value === undefined) context[scope].delete(name);
    else context[scope].set(name, value);
  }
  for (const each of reports) {
    if (each.report === "emit") context.emit(each.type, read(each.json));
    else if (each.report === "progress") context.progress(read(each.json));
    else if (each.report === "log") context.logger[each.level](each.message, read(each.json));
    else context.markTruncated(each.all);
  }
  if (leftOut > 0) {
    const many = leftOut === 1 ? "1 report was" : `${leftOut.toLocaleString("en-US")} reports were`;
    context.logger.warn(`${many} left out: the tool made them faster than they can be sent`, { leftOut });
  }
}

function read(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
