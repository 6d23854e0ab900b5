import type { ToolServices } from "./tool-context.ts";

/** The names of the services in a context; the compiler sees to it that none is missing. */
export const serviceNames = Object.keys({
  files: true,
  search: true,
  processes: true,
  web: true,
  tasks: true,
  todos: true,
  skills: true,
  agents: true,
  tools: true,
  made: true,
  notes: true,
  system: true,
  databases: true,
  sourceCode: true,
} satisfies Record<keyof ToolServices, true>) as readonly (keyof ToolServices)[];
