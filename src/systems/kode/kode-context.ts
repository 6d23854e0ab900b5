import type { ToolContext } from "../../tool/tool-context.ts";
import type { KodeFilePool, KodeSandbox, KodeToolContext } from "./kode-types.ts";

export interface KodeContextOptions {
  readonly toolName: string;
  readonly workDir: string;
  readonly services?: Readonly<Record<string, unknown>>;
}

/** The context that KODE's tools expect, made of ours. */
export function createKodeContext(
  context: ToolContext,
  { toolName, workDir, services = {} }: KodeContextOptions,
): KodeToolContext {
  const { sessionId, signal, variables } = context;
  const emit = (eventType: string, data?: unknown) => context.emit(eventType, data);
  const emitMonitor = ({ type, eventType = type, data, ...fields }: Record<string, unknown>) =>
    emit(String(eventType ?? toolName), data ?? fields);
  return {
    agentId: sessionId,
    signal,
    emit,
    agent: { id: sessionId, events: { emitMonitor } },
    services,
    sandbox: createSandbox(context, workDir),
    filePool: createFilePool(context),
    variables,
    toolwright: context,
  };
}

function createSandbox({ files, search, processes }: ToolContext, workDir: string): KodeSandbox {
  return {
    kind: "local",
    workDir,
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
