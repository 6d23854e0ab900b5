import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** The parts of the context that this runtime has nothing behind: asking for one says so. */
export const unavailableServices: Pick<
  ToolContext,
  "processes" | "web" | "tasks" | "todos" | "skills" | "agents" | "tools"
> = {
  processes: {
    run: unavailable("running processes"),
    start: unavailable("running processes"),
    jobs: unavailable("running processes"),
    job: unavailable("running processes"),
    output: unavailable("running processes"),
    waitFor: unavailable("running processes"),
    kill: unavailable("running processes"),
  },
  web: { fetch: unavailable("fetching from the web") },
  tasks: {
    list: unavailable("tasks"),
    create: unavailable("tasks"),
    update: unavailable("tasks"),
    background: unavailable("tasks"),
    cancelBackground: unavailable("tasks"),
  },
  todos: { list: unavailable("todos"), write: unavailable("todos") },
  skills: { list: unavailable("skills"), load: unavailable("skills") },
  agents: { run: unavailable("sending off agents"), start: unavailable("sending off agents") },
  tools: { search: unavailable("searching for tools"), activate: unavailable("searching for tools") },
};

function unavailable(what: string): () => Promise<never> {
  return async () => {
    throw new ToolError("unavailable", `${what}: this runtime does not offer it`);
  };
}
