import type { ToolContext } from "../../tool/tool-context.ts";
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
      return createSandbox(context);
    },
    get filePool() {
      return createFilePool(context);
    },
    get variables() {
      return context.variables;
    },
    toolwright: context,
  };
}

function createSandbox({ files, search, processes, workspace }: ToolContext): KodeSandbox {
  return {
    kind: "local",
    workDir: workspace,
    fs: {
      read: async (path) => (await files.readText(path)).text,
      async write(path, content) {
        await files.writeText(path, content);
      },
      async glob(pattern) {
        const { files: found } = await search.glob({ pattern, path: ".", maxFiles: 10_000 });
        return found.map(({ path }) => path);
      },
    },
    async exec(command) {
      const { exitCode, stdout, stderr } = await processes.run(command);
      return { code: exitCode ?? 1, stdout, stderr };
    },
  };
}

/** What a tool itself recorded; beside it the runtime keeps what every call has read, and refuses stale writes. */
function createFilePool({ files, variables }: ToolContext): KodeFilePool {
  const keyOf = (path: string) => `kode.read ${path}`;
  const hashOf = async (path: string) =>
    (await files.readText(path).catch(() => undefined))?.hash ?? "no file";
  const record = async (path: string) => void variables.set(keyOf(path), await hashOf(path));
  return {
    recordRead: record,
    recordEdit: record,
    async validateWrite(path) {
      const recorded = variables.get(keyOf(path));
      return { isFresh: recorded === undefined || recorded === (await hashOf(path)) };
    },
  };
}
