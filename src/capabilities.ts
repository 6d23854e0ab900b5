import { subAgentOptions } from "./agent/sub-agents/sub-agent-options.ts";
import { databasesOptions } from "./capabilities/databases/database-options.ts";
import { diagnosticsOptions } from "./capabilities/diagnostics/diagnostics-options.ts";
import { filesOptions } from "./capabilities/files/files-service.ts";
import { mcpOptions } from "./capabilities/mcp-client/open-mcp.ts";
import { shellOptions } from "./capabilities/processes/processes-service.ts";
import { questionsOptions } from "./capabilities/questions/questions-service.ts";
import { systemOptions } from "./capabilities/system/system-options.ts";
import { webOptions } from "./capabilities/web/web-options.ts";

/** The capabilities of a runtime, and what each of them brings. */
export const capabilities = {
  agents: { options: subAgentOptions },
  databases: { options: databasesOptions },
  diagnostics: { options: diagnosticsOptions },
  files: { options: filesOptions },
  "mcp-client": { options: mcpOptions },
  processes: { options: shellOptions },
  questions: { options: questionsOptions },
  system: { options: systemOptions },
  web: { options: webOptions },
} as const;
