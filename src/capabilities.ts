import { agentsService } from "./capabilities/agents/agents-service.ts";
import { messageUses } from "./capabilities/agents/context/token-meter.ts";
import { agentRecords } from "./capabilities/agents/sub-agents/agent-record.ts";
import { subAgentOptions } from "./capabilities/agents/sub-agents/sub-agent-options.ts";
import { catalogueService } from "./capabilities/catalogue/catalogue-service.ts";
import { codeService } from "./capabilities/code/code-service.ts";
import { databasesOptions } from "./capabilities/databases/database-options.ts";
import { databasesService } from "./capabilities/databases/databases-service.ts";
import { diagnosticsOptions } from "./capabilities/diagnostics/diagnostics-options.ts";
import { filesOptions, filesService, readHashes } from "./capabilities/files/files-service.ts";
import { madeService } from "./capabilities/made/made-service.ts";
import { mcpOptions } from "./capabilities/mcp-client/open-mcp.ts";
import { notesService } from "./capabilities/notes/notes-service.ts";
import { jobRecords } from "./capabilities/processes/jobs/job-record.ts";
import { processesService, shellOptions, shellPlace } from "./capabilities/processes/processes-service.ts";
import { questionsOptions, questionsService } from "./capabilities/questions/questions-service.ts";
import { searchService } from "./capabilities/search/search-service.ts";
import { skillsService } from "./capabilities/skills/skills-service.ts";
import { systemOptions } from "./capabilities/system/system-options.ts";
import { systemService } from "./capabilities/system/system-service.ts";
import { taskRecords } from "./capabilities/tasks/task-record.ts";
import { tasksService } from "./capabilities/tasks/tasks-service.ts";
import { todosService } from "./capabilities/tasks/todos-service.ts";
import { webOptions } from "./capabilities/web/web-options.ts";
import { webService } from "./capabilities/web/web-service.ts";
import type { ServiceTable } from "./kernel/services/service.ts";
import { sessionKept } from "./kernel/session/kept/kept-kinds.ts";
import type { KeptKind } from "./kernel/store/kept/kept-kind.ts";
import { activeTools } from "./kernel/tool-search/open-tools.ts";

/**
 * The capabilities of a runtime, and all that each of them brings: the services that tools use, options, and what it keeps for a session. Services are
 * opened in this order, and each gets those opened before it.
 */
export const capabilities = {
  files: { services: { files: filesService }, options: filesOptions, kept: [readHashes] },
  search: { services: { search: searchService }, options: {} },
  processes: {
    services: { processes: processesService },
    options: shellOptions,
    kept: [jobRecords, shellPlace],
  },
  web: { services: { web: webService }, options: webOptions },
  agents: {
    services: { agents: agentsService },
    options: subAgentOptions,
    kept: [agentRecords, messageUses],
  },
  tasks: { services: { tasks: tasksService, todos: todosService }, options: {}, kept: [taskRecords] },
  skills: { services: { skills: skillsService }, options: {} },
  catalogue: { services: { tools: catalogueService }, options: {} },
  made: { services: { made: madeService }, options: {} },
  notes: { services: { notes: notesService }, options: {} },
  system: { services: { system: systemService }, options: systemOptions },
  databases: { services: { databases: databasesService }, options: databasesOptions },
  code: { services: { sourceCode: codeService }, options: {} },
  questions: { services: { questions: questionsService }, options: questionsOptions },
  diagnostics: { services: {}, options: diagnosticsOptions },
  "mcp-client": { services: {}, options: mcpOptions },
} as const satisfies Record<string, Capability>;

interface Capability {
  readonly services: ServiceTable;
  readonly options: object;
  readonly kept?: readonly KeptKind[];
}

type Capabilities = typeof capabilities;
type All<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer Part) => void
  ? Part
  : never;

/** The services of all capabilities. */
export const services = Object.assign(
  {},
  ...Object.values(capabilities).map((capability) => capability.services),
) as All<Capabilities[keyof Capabilities]["services"]>;

/** Everything that is kept for sessions beside their logs. */
export const keptKinds: readonly KeptKind[] = [
  ...sessionKept,
  activeTools,
  ...Object.values<Capability>(capabilities).flatMap(({ kept = [] }) => kept),
];
