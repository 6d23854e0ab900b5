import { createChildPrograms } from "../../../src/machine/child/child-programs.ts";

/** A process that tells its child's id and then waits for a task that never ends. */
const file = new URL("working-child.ts", import.meta.url).pathname;
const programs = createChildPrograms<object, { pid: number }>(() => file);
const { signal } = new AbortController();
const { pid } = await programs.ask({ do: "answer" }, { signal });
process.stdout.write(`${pid}\n`);
await programs.ask({ do: "block" }, { signal });
