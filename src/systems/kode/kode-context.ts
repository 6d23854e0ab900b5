import type { ToolContext } from "../../tool/tool-context.ts";
import { createKodeFilePool } from "./kode-file-pool.ts";
import { createKodeSandbox } from "./kode-sandbox.ts";
import type { KodeFilePool, KodeSandbox, KodeToolContext } from "./kode-types.ts";

export interface KodeContextOptions {
  readonly toolName: string;
  readonly services?: Readonly<Record<string, unknown>>;
}

/** The context that KODE's tools expect, made of ours. Most tools use little of it, so each part is made when it is used. */
export function createKodeContext(
  context: ToolContext,
  { toolName, services = {} }: KodeContextOptions,
): KodeToolContext {
  const { sessionId } = context;
  const emit = (eventType: string, data?: unknown) => context.emit(eventType, data);
  let sandbox: KodeSandbox | undefined;
  let filePool: KodeFilePool | undefined;
  const getSandbox = () => {
    sandbox ??= createKodeSandbox(context);
    return sandbox;
  };
  return {
    agentId: sessionId,
    get signal() {
      return context.signal;
    },
    emit,
    get agent() {
      const emitMonitor = ({ type, eventType = type, data, ...fields }: Record<string, unknown>) =>
        emit(String(eventType ?? toolName), data ?? fields);
      return { id: sessionId, events: { emitMonitor } };
    },
    services,
    get sandbox() {
      return getSandbox();
    },
    get filePool() {
      filePool ??= createKodeFilePool(context, getSandbox());
      return filePool;
    },
    get variables() {
      return context.variables;
    },
    toolwright: context,
  };
}
