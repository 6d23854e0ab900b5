import type { OpenAiTool } from "../../interop/vendors/openai-chat-format.ts";
import { openRuntime, type Runtime } from "../../open-runtime.ts";
import type { RuntimeOptions } from "../../runtime-options.ts";
import type { Session } from "../../session.ts";
import type { ContentPart } from "../../tool/tool-result.ts";

export interface ToolsServiceOptions {
  /** The folder `internal-tools`. */
  readonly toolsDir: string;
  /** What handlers find in their `ctx` beside the runtime's own: `service`, `model`. */
  readonly ctx?: Readonly<Record<string, unknown>>;
  /** Handlers also get arguments that their schemas do not declare. */
  readonly acceptsUndeclared?: boolean;
  /** Options of the runtime beneath: its workspace, store, MCP servers, permissions and more. */
  readonly toolwright?: Omit<RuntimeOptions, "toolFolders" | "dialect">;
}

/** A result as MCP has it. */
export interface InternalResult {
  readonly content: readonly ContentPart[];
}

/** Lists and runs the tools of a folder, the built-in ones, and those of MCP servers. */
export class ToolsService {
  readonly #options: ToolsServiceOptions;
  #opening: Promise<{ readonly runtime: Runtime; readonly session: Session }> | undefined;

  constructor(options: ToolsServiceOptions) {
    this.#options = options;
  }

  /** Loads the tools; the other methods do so themselves. */
  async ensureInitialized(): Promise<void> {
    await this.#open();
  }

  /** All tools as OpenAI's API takes them. */
  async getTools(): Promise<readonly OpenAiTool[]> {
    const { session } = await this.#open();
    return session.tools({ format: "openai" });
  }

  /** Calls a tool. Rejects with what went wrong. */
  async runTools(name: string, args: unknown = {}): Promise<InternalResult> {
    const { session } = await this.#open();
    const logger = this.#options.toolwright?.logger;
    const { status, content, text, error } = await session.call(name, args, {
      onLog: ({ level, message, data }) => logger?.[level](message, data),
    });
    // Callers know this one sentence by heart; what is said besides is in the cause.
    const message = error?.code === "unknown-tool" ? error.message : text;
    if (status !== "done") throw new Error(message, { cause: error });
    return { content };
  }

  /** The full names of the tools of each group. */
  async groups(): Promise<Record<string, string[]>> {
    const { runtime } = await this.#open();
    return runtime.tools.groups();
  }

  /** The session beneath, with receipts, undo and everything else. */
  async session(): Promise<Session> {
    return (await this.#open()).session;
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.runtime.close();
  }

  #open() {
    this.#opening ??= open(this.#options).catch((error: unknown) => {
      // The cause may be gone next time.
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}

async function open({ toolsDir, ctx, acceptsUndeclared, toolwright }: ToolsServiceOptions) {
  const folder = {
    path: toolsDir,
    ...(ctx !== undefined && { context: ctx }),
    ...(acceptsUndeclared !== undefined && { acceptsUndeclared }),
  };
  const runtime = await openRuntime({
    deferral: { maxTools: 1000 },
    ...toolwright,
    dialect: "internal",
    toolFolders: [folder],
  });
  try {
    return { runtime, session: await runtime.openSession() };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
