import { resolve } from "node:path";
import { foreign, value } from "../../shared/options/known-keys.ts";
import { choice, inCode, kinds, option, propertiesOf } from "../../shared/options/option.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { type Caller, callerKeys } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { Logger } from "../../tool/tool-context.ts";
import { type Hooks, hooksOption, loopsOption } from "../call/index.ts";
import { type DialectDefinition, outputOption } from "../dialects/index.ts";
import type { ModelPrice, ModelPrices } from "../events/index.ts";
import type { ApprovalHandler } from "../people/index.ts";
import {
  asToolFolder,
  type PluginApiOf,
  type PluginOf,
  type ProvidedTool,
  type ToolFolder,
  toolFolderKeys,
} from "../registry/index.ts";
import { budgetOption } from "../session/index.ts";
import { absoluteStore, retentionOption } from "../store/index.ts";
import { deferralOption } from "../tool-search/index.ts";
import { checkedSourcesOption, permissionsOption } from "./permission-options.ts";

/** The folder that tools work in, and further ones. */
export interface WorkspaceRoots {
  readonly root: string;
  readonly extraRoots?: readonly string[];
}

/** Tools and hooks that belong together, optionally started and stopped with the runtime. */
export type Plugin = PluginOf<Hooks>;

/** The argument of a plugin's `register`. */
export type PluginApi = PluginApiOf<Hooks>;

const durabilities = ["process-crash", "power-loss"] as const;
const sandboxModes = ["auto", "required", "off"] as const;

/** The options of a runtime that no capability brings. */
export const kernelOptions = {
  workspace: option<string | WorkspaceRoots>({
    schema: {
      description:
        "The folder that tools work in, and further ones they may use. Only in a file given with --config",
      anyOf: [
        kinds.text,
        { type: "object", properties: { root: kinds.text, extraRoots: kinds.texts }, required: ["root"] },
      ],
    },
    resolve(workspace, folder) {
      if (typeof workspace === "string") return resolve(folder, workspace);
      const { root, extraRoots = [] } = workspace;
      return { root: resolve(folder, root), extraRoots: extraRoots.map((each) => resolve(folder, each)) };
    },
  }),
  store: option<string>({
    schema: {
      ...kinds.text,
      description:
        "Where records are kept: sqlite:<path>, or memory: for nowhere. Default: the user's state folder",
    },
    example: "sqlite:records.sqlite",
    resolve: absoluteStore,
  }),
  durability: option<(typeof durabilities)[number]>({
    schema: {
      enum: durabilities,
      description: "Which failures the records of a finished call survive. Default: process-crash",
    },
    check: choice("durability", durabilities),
    example: "power-loss",
  }),
  // Checked where it is used, as are tools and plugins.
  dialect: option<string | DialectDefinition>({
    schema: {
      description: "The names and parameters that tools are offered with. Default: flyto",
      anyOf: [kinds.text, kinds.checkedLater],
    },
    example: "claude-code",
  }),
  tools: inCode<readonly (AnyTool | ProvidedTool)[]>(),
  plugins: option<readonly (Plugin | string)[], readonly string[]>({
    schema: { ...kinds.texts, description: "Modules that bring tools and hooks: paths or package names" },
    codeSchema: { type: "array", items: { type: ["string", "object"] } },
    example: ["./plugin.mjs"],
    // Package names are left to the plugin loader.
    resolve: (plugins, folder) =>
      plugins.map((each) => (each.startsWith(".") ? resolve(folder, each) : each)),
  }),
  toolFolders: option<readonly (string | ToolFolder)[]>({
    schema: { ...kinds.texts, description: "Folders of <group>/<action>.ts files, one tool per file" },
    codeSchema: { type: "array", items: { type: ["string", "object"] } },
    check(folders) {
      if (!Array.isArray(folders)) return;
      for (const [index, folder] of folders.entries())
        refuseUnknownKeys(asToolFolder(folder), toolFolderKeys, `openRuntime: toolFolders[${index}]`);
    },
    example: ["tools"],
    resolve: (folders, folder) => folders.map((each) => resolve(folder, asToolFolder(each).path)),
  }),
  permissions: permissionsOption,
  hooks: hooksOption,
  budget: budgetOption,
  prices: option<ModelPrices>({
    schema: {
      type: "object",
      description: "What a million tokens of each model cost, by provider/model",
      additionalProperties: {
        type: "object",
        properties: propertiesOf<ModelPrice>({
          input: kinds.limit,
          output: kinds.limit,
          cachedInput: kinds.limit,
        }),
        required: ["input", "output"],
      },
    },
    example: { "anthropic/claude-sonnet-4-5": { input: 3, output: 15, cachedInput: 0.3 } },
  }),
  loops: loopsOption,
  sandbox: option<(typeof sandboxModes)[number]>({
    schema: {
      enum: sandboxModes,
      description:
        "Whether commands run in a sandbox: where one works (auto, the default), always or not at all (required), or never (off)",
    },
    check: choice("sandbox", sandboxModes),
    initial: "auto",
  }),
  approvals: inCode<"queue">(value, { check: choice("approvals", ["queue"]) }),
  onApproval: inCode<ApprovalHandler>(),
  deferral: deferralOption,
  output: outputOption,
  secrets: option<readonly string[]>({
    schema: { ...kinds.texts, description: "Values to mask in results and records" },
    // An empty one, of a variable that is not set, masks nothing.
    codeSchema: { type: "array", items: { type: "string" } },
    example: ["a value that must not be shown"],
  }),
  secretSources: checkedSourcesOption,
  strictInput: option<boolean>({
    schema: {
      ...kinds.flag,
      description: 'Whether input such as "3" for a number is refused. Default: false',
    },
    example: true,
  }),
  timeoutMs: option<number>({
    schema: {
      ...kinds.positive,
      description: "Time limit for tools that set none, in milliseconds. Default: 60000",
    },
    check(timeoutMs) {
      if (timeoutMs > 0) return;
      throw new TypeError(
        `openRuntime: timeoutMs must be a number above 0; received ${JSON.stringify(timeoutMs)}`,
      );
    },
    example: 60_000,
  }),
  retention: retentionOption,
  caller: inCode<Caller>(callerKeys),
  logger: inCode<Logger>(foreign),
};
