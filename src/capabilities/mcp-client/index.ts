export type { McpApproval } from "./approval/mcp-approvals.ts";
export type {
  McpCatalogue,
  McpCompletion,
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpResourceTemplate,
  McpTypedArgument,
} from "./catalogue/clean-entries.ts";
export type { McpLoader } from "./loader-source.ts";
export type { McpOptions } from "./open-mcp.ts";
export type { ReadyOptions, RuntimeMcp } from "./open-mcp-client.ts";
export { readMcpServers } from "./server-file.ts";
export type { ConfiguredServer, McpServerStatus } from "./server-launch.ts";
export type {
  HttpServerOptions,
  McpServerOptions,
  OfferOptions,
  SignInOptions,
  StdioServerOptions,
} from "./server-options.ts";
