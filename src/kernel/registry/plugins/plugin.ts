import {
  type Foreign,
  foreign,
  knownKeys,
  type ObjectShape,
  value,
} from "../../../shared/options/known-keys.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Logger } from "../../../tool/tool-context.ts";
import type { OverrideOptions } from "../tool-source.ts";

/** Tools and hooks that belong together and are started and stopped together. The code that runs hooks defines them. */
export interface PluginOf<Hooks = unknown> {
  readonly name: string;
  readonly version?: string;
  /** Names of plugins that must be registered and started before this one. */
  readonly dependencies?: readonly string[];
  readonly tools?: readonly AnyTool[];
  readonly hooks?: Hooks;
  /** Called once, when the plugin is loaded. The API may be kept and used until the plugin is stopped. */
  register?(api: PluginApiOf<Hooks>): void | Promise<void>;
  start?(): void | Promise<void>;
  stop?(): void | Promise<void>;
}

/** The keys of a plugin, whose hooks have these. */
export function pluginKeys(hooks: ObjectShape | Foreign): ObjectShape<keyof PluginOf> {
  return knownKeys<PluginOf<object>>({
    name: value,
    version: value,
    dependencies: value,
    tools: foreign,
    hooks,
    register: value,
    start: value,
    stop: value,
  });
}

export interface PluginApiOf<Hooks = unknown> {
  registerTool(tool: AnyTool, options?: OverrideOptions): void;
  registerTools(tools: readonly AnyTool[]): void;
  addHooks(hooks: Hooks): void;
  readonly logger: Logger;
}
