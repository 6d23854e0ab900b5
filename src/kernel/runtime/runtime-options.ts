import type { SecretSources } from "../../shared/secrets/secret-options.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { Logger } from "../../tool/tool-context.ts";
import type { Hooks, LoopLimits } from "../call/index.ts";
import type { DialectDefinition, OutputLimits } from "../dialects/index.ts";
import type { ModelPrices } from "../events/index.ts";
import type { Plugin } from "../options/index.ts";
import type { ApprovalHandler } from "../people/index.ts";
import type { Mode, RuleTexts } from "../policy/index.ts";
import type { ProvidedTool, ToolFolder } from "../registry/index.ts";
import type { BudgetLimits } from "../session/index.ts";
import type { RetentionOptions } from "../store/index.ts";
import type { DeferralLimits } from "../tool-search/index.ts";

export type { Plugin, PluginApi } from "../options/index.ts";

/** Capabilities add their own options, each in its room (`declare module`). */
export interface RuntimeOptions extends RuntimePlaceOptions, RuntimeToolOptions, RuntimeCallOptions {
  readonly caller?: Caller;
  readonly logger?: Logger;
}

/** Where tools work, and where records are kept. */
export interface RuntimePlaceOptions {
  /** The folder tools work in; file tools touch nothing outside it and its extra roots. Default: the current folder. */
  readonly workspace?: string | { readonly root: string; readonly extraRoots?: readonly string[] };
  /** `sqlite:<path>` or `memory:`. Default: SQLite in the user's state folder, one file per workspace. */
  readonly store?: string;
  /** What a finished call's records survive: `kill -9` (the default), or also a power cut. */
  readonly durability?: "process-crash" | "power-loss";
  /** How long sessions, outputs and the output of background commands are kept. */
  readonly retention?: RetentionOptions;
}

/** Which tools there are, and how a model sees them. */
export interface RuntimeToolOptions {
  /**
   * Tool names and parameters of its sessions: `flyto` (the default), `internal`, `kode`, `pulse`, `eko`, `claude-code`,
   * `codex`, `gemini-cli`, `canonical`, `auto` to choose by the name of the model, or a definition that you write.
   */
  readonly dialect?: string | DialectDefinition;
  readonly tools?: readonly (AnyTool | ProvidedTool)[];
  readonly plugins?: readonly (Plugin | string)[];
  /** Folders of `<group>/<action>.ts` files, one tool per file. */
  readonly toolFolders?: readonly (string | ToolFolder)[];
  /** From how many tools on the model is offered only some and finds the others by `tool_search`. */
  readonly deferral?: DeferralLimits;
  /** How much text of a result the caller gets: in general, and by tool. */
  readonly output?: OutputLimits;
}

/** What calls may do, and who decides about them. */
export interface RuntimeCallOptions {
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
  /**
   * With `queue`, calls that need approval wait for `session.approvals.decide`, and questions for `session.questions.answer`,
   * here or in another process.
   */
  readonly approvals?: "queue";
  readonly onApproval?: ApprovalHandler;
  /** Values to mask in results and records. */
  readonly secrets?: readonly string[];
  /** Secrets that a model may use by name, as `{{secret:NAME}}`, without seeing them. */
  readonly secretSources?: SecretSources;
  /** Refuses input such as `"3"` for a number or null for an optional parameter, which is otherwise read as meant. */
  readonly strictInput?: boolean;
  /** Time limit for tools that set none. Default: one minute. */
  readonly timeoutMs?: number;
}
