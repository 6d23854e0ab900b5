import type { McpServerOptions } from "./server-options.ts";

/** A server that somebody has named, and who. */
export interface ConfiguredServer {
  readonly name: string;
  /** As it is written: `${VARIABLES}` still stand for themselves. */
  readonly options: McpServerOptions;
  /** What code or a command line names is trusted by that; what lies in the workspace only once somebody approved it. */
  readonly origin: "options" | "project";
}
