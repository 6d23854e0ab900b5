import type { McpServerOptions } from "../../capabilities/mcp-client/server-options.ts";
import type { HookCommands } from "../../kernel/call/hooks/commands/hook-command.ts";
import type { RuntimeOptions } from "../../runtime-options.ts";

/** The runtime options that a file can give: those that are plain data. */
export type ConfigFile = Pick<
  RuntimeOptions,
  | "workspace"
  | "store"
  | "durability"
  | "dialect"
  | "permissions"
  | "toolFolders"
  | "budget"
  | "prices"
  | "loops"
  | "timeoutMs"
  | "secrets"
  | "secretSources"
  | "sandbox"
  | "shell"
  | "web"
  | "system"
  | "databases"
  | "diagnostics"
  | "deferral"
  | "output"
  | "strictInput"
  | "retention"
> & {
  readonly agents?: Omit<NonNullable<RuntimeOptions["agents"]>, "model"> & { readonly model?: string };
  readonly hooks?: HookCommands;
  readonly plugins?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>>;
};

/** What stands in the file: editors complete and check it by its schema. */
export type WrittenConfig = ConfigFile & { readonly $schema?: string };
