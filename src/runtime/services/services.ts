import { agentsService } from "./agents/agents-service.ts";
import { catalogueService } from "./catalogue/catalogue-service.ts";
import { filesService } from "./files/files-service.ts";
import { processesService } from "./processes/processes-service.ts";
import { questionsService } from "./questions/questions-service.ts";
import { searchService } from "./search/search-service.ts";
import type { AnyService, ServiceName } from "./service.ts";
import { skillsService } from "./skills/skills-service.ts";
import { tasksService } from "./tasks/tasks-service.ts";
import { todosService } from "./tasks/todos-service.ts";
import { webService } from "./web/web-service.ts";

/**
 * Everything that calls may use, by the names that a tool's context has for it. They are opened in this order: one may be
 * opened with those before it.
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
  questions: questionsService,
} as const satisfies { readonly [Name in ServiceName]: AnyService<Name> };

type Services = typeof services;

export const serviceNames = Object.keys(services) as readonly ServiceName[];

export type OpenedServices = { readonly [Name in ServiceName]: Awaited<ReturnType<Services[Name]["open"]>> };

/** What it takes to open all of them. */
export type ServiceParts = Omit<AllOf<Parameters<Services[ServiceName]["open"]>[0]>, ServiceName>;

type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

export async function openServices(parts: ServiceParts): Promise<OpenedServices> {
  const opened: Partial<Record<ServiceName, unknown>> = {};
  try {
    for (const name of serviceNames) {
      const open = services[name].open as (parts: object) => unknown;
      // By its name a service stands for itself: nothing else that is handed in has such a name.
      opened[name] = await open({ ...parts, ...opened });
    }
  } catch (error) {
    await closeServices(opened as Partial<OpenedServices>).catch(() => {});
    throw error;
  }
  return opened as OpenedServices;
}

/** In reverse, so that none loses what it was opened with. All are closed, also after one has failed; that is told then. */
export async function closeServices(opened: Partial<OpenedServices>): Promise<void> {
  const failures: unknown[] = [];
  for (const name of serviceNames.toReversed()) {
    const service: { close?(): Promise<void> } | undefined = opened[name];
    await service?.close?.().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
