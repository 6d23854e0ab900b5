// Calls a tool of every system that forgets promises which fail, then forgets one itself. Started by hostile-tools.test.ts.
import { setImmediate as nextTurn } from "node:timers/promises";
import { openRuntime, type RuntimeOptions } from "../../src/index.ts";
import { adoptedSystems } from "./adopted-systems.ts";

const [folder = ""] = process.argv.slice(2);
const ended = Promise.withResolvers<void>();

const fail = async (when: string, after: Promise<unknown>) => {
  await after;
  throw new Error(`forgotten ${when}`);
};

const statuses: Record<string, string> = {};
const warnings: string[] = [];
const tools: NonNullable<RuntimeOptions["tools"]>[number][] = [];
const toolFolders: NonNullable<RuntimeOptions["toolFolders"]>[number][] = [];
for (const system of adoptedSystems) {
  const options = await system.adopt(() => {
    void Promise.reject(new Error("forgotten at once"));
    void fail("later", nextTurn());
    void fail("after its end", ended.promise);
    return system.result("ok");
  }, folder);
  tools.push(...(options.tools ?? []));
  toolFolders.push(...(options.toolFolders ?? []));
}
const runtime = await openRuntime({
  ...{ workspace: folder, store: "memory:", dialect: "canonical", permissions: { mode: "auto" } },
  ...{ tools, toolFolders },
});
// Another one, which has nothing to do with it.
const bystander = await openRuntime({ workspace: folder, store: "memory:" });
const session = await runtime.openSession();
for (const { tool } of adoptedSystems) statuses[tool] = (await session.call(tool, { text: "x" })).status;
ended.resolve();
await nextTurn();
await session.close();
for await (const event of session.events())
  if (event.type === "log" && event.level === "warn") warnings.push(event.message);
process.stdout.write(JSON.stringify({ statuses, warnings }));
// Nobody's own: it ends the process, as it would without any runtime.
void fail("outside", nextTurn());
await nextTurn();
await runtime.close();
await bystander.close();
