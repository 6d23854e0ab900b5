import type { SubAgentOptions } from "../../capabilities/agents/sub-agents/sub-agent-options.ts";
import type { DatabaseOptions } from "../../capabilities/databases/database-options.ts";
import type { CheckerOptions } from "../../capabilities/diagnostics/diagnostics-options.ts";
import type { McpOptions } from "../../capabilities/mcp-client/open-mcp.ts";
import type { ShellOptions } from "../../capabilities/processes/processes-service.ts";
import type { SystemOptions } from "../../capabilities/system/system-options.ts";
import type { WebOptions } from "../../capabilities/web/web-options.ts";
import { capabilities } from "../../capabilities.ts";
import type { ObjectShape } from "../../shared/options/known-keys.ts";
import type { FileOptionsOf, RuntimeOption } from "../../shared/options/option.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { SecretSources } from "../../shared/secrets/secret-options.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { Logger } from "../../tool/tool-context.ts";
import type { Hooks } from "../call/hooks/hooks.ts";
import type { LoopLimits } from "../call/loops/loop-watch.ts";
import type { DialectDefinition } from "../dialects/dialect.ts";
import type { OutputLimits } from "../dialects/output-limits.ts";
import type { ModelPrices } from "../events/agent-event.ts";
import { kernelOptions, type Plugin } from "../options/kernel-options.ts";
import type { ApprovalHandler } from "../people/approvals.ts";
import type { Mode } from "../policy/decide.ts";
import type { RuleTexts } from "../policy/rules/parse-rules.ts";
import type { ToolFolder } from "../registry/folders/tool-folder.ts";
import type { ProvidedTool } from "../registry/tool-source.ts";
import type { BudgetLimits } from "../session/budget.ts";
import type { RetentionOptions } from "../store/retention.ts";
import type { DeferralLimits } from "../tool-search/deferral.ts";

export type { Plugin, PluginApi } from "../options/kernel-options.ts";

export interface RuntimeOptions extends McpOptions {
  /** The folder tools work in; file tools touch nothing outside it and its extra roots. Default: the current folder. */
  readonly workspace?: string | { readonly root: string; readonly extraRoots?: readonly string[] };
  /** `sqlite:<path>` or `memory:`. Default: SQLite in the user's state folder, one file per workspace. */
  readonly store?: string;
  /** What a finished call's records survive: `kill -9` (the default), or also a power cut. */
  readonly durability?: "process-crash" | "power-loss";
  /**
   * Tool names and parameters of its sessions: `flyto` (the default), `internal`, `kode`, `pulse`, `eko`, `claude-code`,
   * `codex`, `gemini-cli`, `canonical`, `auto` to choose by the name of the model, or a definition of your own.
   */
  readonly dialect?: string | DialectDefinition;
  readonly tools?: readonly (AnyTool | ProvidedTool)[];
  readonly plugins?: readonly (Plugin | string)[];
  /** Folders of `<group>/<action>.ts` files, one tool per file. */
  readonly toolFolders?: readonly (string | ToolFolder)[];
  readonly permissions?: RuleTexts & { readonly mode?: Mode };
  readonly hooks?: Hooks;
  /** Limits for each session. */
  readonly budget?: BudgetLimits;
  /** What models cost, for a budget of money: `{ "anthropic/claude-sonnet-4-5": { input: 3, output: 15 } }`. */
  readonly prices?: ModelPrices;
  /** When an agent or MCP client that makes the same call with the same result again and again is stopped. */
  readonly loops?: LoopLimits;
  /** Default: `auto`, a sandbox where one works. With `required`, opening fails where none does. */
  readonly sandbox?: "auto" | "required" | "off";
  /** Settings for shell commands. */
  readonly shell?: ShellOptions;
  /** Settings for tools that use the web. */
  readonly web?: WebOptions;
  /** What tools may learn about this machine. */
  readonly system?: SystemOptions;
  /** Databases that tools may use, by the names that a model knows them by. */
  readonly databases?: Readonly<Record<string, DatabaseOptions>>;
  /** Programs of the project that look for problems in files that calls have changed. */
  readonly diagnostics?: readonly CheckerOptions[];
  /**
   * With `queue`, calls that need approval wait for `session.approvals.decide`, and questions for `session.questions.answer`,
   * here or in another process.
   */
  readonly approvals?: "queue";
  readonly onApproval?: ApprovalHandler;
  /** Answers a tool's question for the person: with a text, or with an object if the question has `fields`. */
  readonly onQuestion?: QuestionHandler;
  /** Limits and templates for sub-agents. */
  readonly agents?: SubAgentOptions;
  /** From how many tools on the model is offered only some and finds the others by `tool_search`. */
  readonly deferral?: DeferralLimits;
  /** How much text of a result the caller gets: in general, and by tool. */
  readonly output?: OutputLimits;
  /** Values to mask in results and records. */
  readonly secrets?: readonly string[];
  /** Secrets that a model may use by name, as `{{secret:NAME}}`, without seeing them. */
  readonly secretSources?: SecretSources;
  /** Refuses to overwrite a file that the session has not read. */
  readonly requireReadBeforeWrite?: boolean;
  /** Refuses input such as `"3"` for a number or null for an optional parameter, which is otherwise read as meant. */
  readonly strictInput?: boolean;
  /** Time limit for tools without one of their own. Default: one minute. */
  readonly timeoutMs?: number;
  /** How long sessions, outputs and the output of background commands are kept. */
  readonly retention?: RetentionOptions;
  readonly caller?: Caller;
  readonly logger?: Logger;
}

type Tables = typeof kernelOptions | (typeof capabilities)[keyof typeof capabilities]["options"];

/** The options that the kernel and the capabilities declare. */
export type DeclaredOptions = AllOf<Tables>;

/** The runtime options that a file can give: those that are plain data. */
export interface ConfigFile extends AllOf<FileOptionsOf<Tables>> {}

type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

/** Every option of a runtime by name, those of the kernel first. */
export const runtimeOptions: ReadonlyMap<string, RuntimeOption<unknown, unknown>> = new Map<
  string,
  RuntimeOption<unknown, unknown>
>(
  [kernelOptions, ...Object.values(capabilities).map(({ options }) => options)].flatMap((table) =>
    Object.entries(table),
  ),
);

export const runtimeKeys: ObjectShape = {
  kind: "object",
  keys: Object.fromEntries([...runtimeOptions].map(([name, { keys }]) => [name, keys])),
  orValue: false,
};

/** Refuses unknown names and values, which would otherwise be ignored silently. */
export function checkOptions(options: RuntimeOptions): void {
  refuseUnknownKeys(options, runtimeKeys, "openRuntime");
  for (const [name, given] of Object.entries(options)) {
    if (given !== undefined) runtimeOptions.get(name)?.check?.(given);
  }
}
