import type { OpenAiTool } from "../../formats/index.ts";
import type { RuntimeOptions, Session } from "../../index.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import { createSessionOnDemand, type SessionOnDemand } from "../session-on-demand.ts";

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
  readonly #sessionOnDemand: SessionOnDemand;

  constructor(options: ToolsServiceOptions) {
    this.#options = options;
    this.#sessionOnDemand = createSessionOnDemand(() => runtimeOptions(options));
  }

  /** Loads the tools; the other methods do so themselves. */
  async ensureInitialized(): Promise<void> {
    await this.#sessionOnDemand.open();
  }

  /** All tools as OpenAI's API takes them. */
  async getTools(): Promise<readonly OpenAiTool[]> {
    const { session } = await this.#sessionOnDemand.open();
    return session.tools({ format: "openai" });
  }

  /** Calls a tool. Rejects with what went wrong. */
  async runTools(name: string, args: unknown = {}): Promise<InternalResult> {
    const { session } = await this.#sessionOnDemand.open();
    const logger = this.#options.toolwright?.logger;
    const { status, content, text, error } = await session.call(name, args, {
      onLog: ({ level, message, data }) => logger?.[level](message, data),
    });
    // Callers compare this one sentence; the rest of the text is in the cause.
    const message = error?.code === "unknown-tool" ? error.message : text;
    if (status !== "done") throw new Error(message, { cause: error });
    return { content };
  }

  /** The full names of the tools of each group. */
  async groups(): Promise<Record<string, string[]>> {
    const { runtime } = await this.#sessionOnDemand.open();
    return runtime.tools.groups();
  }

  /** The session beneath, with receipts, undo and everything else. */
  async session(): Promise<Session> {
    return (await this.#sessionOnDemand.open()).session;
  }

  close(): Promise<void> {
    return this.#sessionOnDemand.close();
  }
}

function runtimeOptions(options: ToolsServiceOptions): RuntimeOptions {
  const { toolsDir, ctx, acceptsUndeclared, toolwright } = options;
  const folder = { path: toolsDir, ...defined({ context: ctx, acceptsUndeclared }) };
  return { deferral: { maxTools: 1000 }, ...toolwright, dialect: "internal", toolFolders: [folder] };
}
