import {
  checkSubAgentOptions,
  type SubAgentOptions,
  subAgentKeys,
} from "./agent/sub-agents/sub-agent-options.ts";
import {
  checkDatabaseOptions,
  type DatabaseOptions,
  databaseKeys,
} from "./capabilities/databases/database-options.ts";
import {
  type CheckerOptions,
  checkDiagnostics,
  checkerKeys,
} from "./capabilities/diagnostics/diagnostics-options.ts";
import type { McpOptions } from "./capabilities/mcp-client/open-mcp.ts";
import { serverKeys } from "./capabilities/mcp-client/server-options.ts";
import { type ShellOptions, shellKeys } from "./capabilities/processes/processes-service.ts";
import { checkSystemOptions, type SystemOptions, systemKeys } from "./capabilities/system/system-options.ts";
import { checkWebOptions, type WebOptions, webKeys } from "./capabilities/web/web-options.ts";
import { checkHookCommands } from "./kernel/call/hooks/commands/hook-command.ts";
import { type Hooks, hookKeys } from "./kernel/call/hooks/hooks.ts";
import { checkLoopLimits, type LoopLimits, loopKeys } from "./kernel/call/loops/loop-watch.ts";
import type { DialectDefinition } from "./kernel/dialects/dialect.ts";
import { checkOutputLimits, type OutputLimits, outputKeys } from "./kernel/dialects/output-limits.ts";
import type { ModelPrice, ModelPrices } from "./kernel/events/agent-event.ts";
import type { ApprovalHandler } from "./kernel/policy/approvals/approvals.ts";
import { type Mode, modes } from "./kernel/policy/decide.ts";
import { createSecretHostTest } from "./kernel/policy/hosts/secret-hosts.ts";
import type { RuleTexts } from "./kernel/policy/rules/parse-rules.ts";
import { asToolFolder, type ToolFolder, toolFolderKeys } from "./kernel/registry/folders/tool-folder.ts";
import type { PluginApiOf, PluginOf } from "./kernel/registry/plugins/plugin.ts";
import type { ProvidedTool } from "./kernel/registry/tool-source.ts";
import { type BudgetLimits, budgetKeys } from "./kernel/session/budget.ts";
import { checkRetention, type RetentionOptions, retentionKeys } from "./kernel/store/retention.ts";
import { checkLimits, type DeferralLimits, deferralKeys } from "./kernel/tool-search/deferral.ts";
import { foreign, type KeyTable, knownKeys, mapOf, value } from "./shared/options/known-keys.ts";
import { refuseUnknownKeys } from "./shared/options/refuse-unknown-keys.ts";
import { checkSecretSources, type SecretSources, secretSourceKeys } from "./shared/secrets/secret-options.ts";
import { type Caller, callerKeys } from "./tool/caller.ts";
import type { AnyTool } from "./tool/define-tool.ts";
import type { QuestionHandler } from "./tool/services/question.ts";
import type { Logger } from "./tool/tool-context.ts";

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

/** Tools and hooks that belong together, optionally started and stopped with the runtime. */
export type Plugin = PluginOf<Hooks>;

/** The argument of a plugin's `register`. */
export type PluginApi = PluginApiOf<Hooks>;

export const runtimeKeyTable = {
  workspace: knownKeys<Extract<RuntimeOptions["workspace"], object>>(
    { root: value, extraRoots: value },
    { orValue: true },
  ),
  store: value,
  durability: value,
  // Each is checked where it is used.
  dialect: foreign,
  tools: foreign,
  plugins: foreign,
  // Each is checked by itself.
  toolFolders: foreign,
  mcpServers: mapOf(serverKeys, { orValue: true }),
  mcpStart: value,
  permissions: knownKeys<NonNullable<RuntimeOptions["permissions"]>>({
    mode: value,
    allow: value,
    ask: value,
    deny: value,
  }),
  hooks: hookKeys,
  budget: budgetKeys,
  prices: mapOf(knownKeys<ModelPrice>({ input: value, output: value, cachedInput: value })),
  loops: loopKeys,
  sandbox: value,
  shell: shellKeys,
  web: webKeys,
  system: systemKeys,
  databases: databaseKeys,
  diagnostics: checkerKeys,
  approvals: value,
  onApproval: value,
  onQuestion: value,
  agents: subAgentKeys,
  deferral: deferralKeys,
  output: outputKeys,
  secrets: value,
  secretSources: secretSourceKeys,
  requireReadBeforeWrite: value,
  strictInput: value,
  timeoutMs: value,
  retention: retentionKeys,
  caller: callerKeys,
  logger: foreign,
} satisfies KeyTable<RuntimeOptions>;

export const runtimeKeys = knownKeys<RuntimeOptions>(runtimeKeyTable);

/** Refuses unknown names and values, which would otherwise be ignored silently. */
export function checkOptions(options: RuntimeOptions): void {
  refuseUnknownKeys(options, runtimeKeys, "openRuntime");
  for (const [index, folder] of (options.toolFolders ?? []).entries())
    refuseUnknownKeys(asToolFolder(folder), toolFolderKeys, `openRuntime: toolFolders[${index}]`);
  const { permissions: { mode } = {}, timeoutMs, sandbox, approvals, durability } = options;
  if (mode !== undefined) checkMode(mode);
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new TypeError(
      `openRuntime: timeoutMs must be a number above 0; received ${JSON.stringify(timeoutMs)}`,
    );
  }
  checkLimits(options.deferral ?? {});
  checkOutputLimits(options.output ?? {});
  checkLoopLimits(options.loops ?? {});
  checkSecretSources(options.secretSources ?? {});
  for (const [name, { hosts = [] }] of Object.entries(options.secretSources ?? {}))
    createSecretHostTest(hosts, `openRuntime: secretSources.${name}.hosts`);
  checkHookCommands(options.hooks ?? {});
  checkSubAgentOptions(options.agents ?? {});
  checkWebOptions(options.web ?? {});
  checkSystemOptions(options.system ?? {});
  checkDatabaseOptions(options.databases ?? {});
  checkDiagnostics(options.diagnostics ?? []);
  checkRetention(options.retention ?? {});
  checkChoice("mcpStart", options.mcpStart, ["at-once", "when-needed"]);
  checkChoice("approvals", approvals, ["queue"]);
  checkChoice("durability", durability, ["process-crash", "power-loss"]);
  checkChoice("sandbox", sandbox, ["auto", "required", "off"]);
}

export function checkMode(mode: string): asserts mode is Mode {
  checkChoice("mode", mode, modes);
}

function checkChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new TypeError(`${name} must be one of ${choices.join(", ")}; received ${JSON.stringify(value)}`);
}
