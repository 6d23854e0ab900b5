import { agentsService } from "./agents/agents-service.ts";
import { catalogueService } from "./catalogue/catalogue-service.ts";
import { codeService } from "./code/code-service.ts";
import { databasesService } from "./databases/databases-service.ts";
import { filesService } from "./files/files-service.ts";
import { madeService } from "./made/made-service.ts";
import { notesService } from "./notes/notes-service.ts";
import { processesService } from "./processes/processes-service.ts";
import { questionsService } from "./questions/questions-service.ts";
import { searchService } from "./search/search-service.ts";
import type { AnyService, ServiceName } from "./service.ts";
import { skillsService } from "./skills/skills-service.ts";
import { systemService } from "./system/system-service.ts";
import { tasksService } from "./tasks/tasks-service.ts";
import { todosService } from "./tasks/todos-service.ts";
import { webService } from "./web/web-service.ts";

/**
 * All services, by their names in a tool's context. They are opened in this order, and each gets those opened before
 * it.
 */
export const services = {
  files: filesService,
  search: searchService,
  processes: processesService,
  web: webService,
  agents: agentsService,
  tasks: tasksService,
  todos: todosService,
  skills: skillsService,
  tools: catalogueService,
  made: madeService,
  notes: notesService,
  system: systemService,
  databases: databasesService,
  sourceCode: codeService,
  questions: questionsService,
} as const satisfies { readonly [Name in ServiceName]: AnyService<Name> };

type Services = typeof services;

export const serviceNames = Object.keys(services) as readonly ServiceName[];

export type OpenedServices = { readonly [Name in ServiceName]: Awaited<ReturnType<Services[Name]["open"]>> };

/** Everything needed to open all services. */
export type ServiceParts = Omit<AllOf<Parameters<Services[ServiceName]["open"]>[0]>, ServiceName>;

type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

export async function openServices(parts: ServiceParts): Promise<OpenedServices> {
  const opened: Partial<Record<ServiceName, unknown>> = {};
  try {
    for (const name of serviceNames) {
      const open = services[name].open as (parts: object) => unknown;
      // No clash: `ServiceParts` excludes the names of services.
      opened[name] = await open({ ...parts, ...opened });
    }
  } catch (error) {
    await closeServices(opened as Partial<OpenedServices>).catch(() => {});
    throw error;
  }
  return opened as OpenedServices;
}

/** Closes in reverse order, so that no service outlives one it uses. Closes all even if one fails, then throws. */
export async function closeServices(opened: Partial<OpenedServices>): Promise<void> {
  const failures: unknown[] = [];
  for (const name of serviceNames.toReversed()) {
    const service: { close?(): Promise<void> } | undefined = opened[name];
    await service?.close?.().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
