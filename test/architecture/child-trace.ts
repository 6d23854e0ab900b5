// Prints how many named functions of src a warm call runs, and how often the next one is in another room: with the name of a
// tool, which functions these are, in their order. `shared` and `tool` are left out of the rooms, as they are below all of them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { projectFolder } from "./project-files.ts";
import { roomOf } from "./source-files.ts";

const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  file_read: { path: "a.txt" },
  file_edit: { path: "a.txt", old_string: "one", new_string: "another one" },
  shell_run: { command: "cat a.txt" },
};
/** From the third call on, nothing is opened or compiled any more. Parallel work varies a little: the least one counts. */
const [firstCounted, calls] = [2, 12];

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const source = join(projectFolder, "src/");
const entered: string[] = [];
Object.assign(globalThis, { noteEntry: (name: string) => entered.push(name) });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!path.startsWith(source)) return loaded;
    return { ...loaded, source: noteEntries(path.slice(source.length), String(loaded.source)) };
  },
});

const figures: Record<string, number> = {};
const [wanted] = process.argv.slice(2);
for (const tool of Object.keys(inputs)) {
  const traces = (await traceCalls(tool)).slice(firstCounted);
  figures[`${tool}: functions`] = Math.min(...traces.map((trace) => new Set(trace).size));
  figures[`${tool}: room changes`] = Math.min(...traces.map(countRoomChanges));
  if (tool === wanted) process.stdout.write(`${traces[0]!.join("\n")}\n`);
}
if (wanted === undefined) process.stdout.write(JSON.stringify(figures));

async function traceCalls(tool: string): Promise<readonly string[][]> {
  const { openRuntime } = await import("../../src/index.ts");
  const folder = await mkdtemp(join(tmpdir(), "toolwright-trace-"));
  const runtime = await openRuntime({
    ...{ workspace: folder, store: "memory:", sandbox: "off" },
    permissions: { mode: "auto" },
  });
  const session = await runtime.openSession();
  const traces: string[][] = [];
  for (let round = 0; round < calls; round++) {
    await writeFile(join(folder, "a.txt"), "one\n");
    await session.call("file_read", { path: "a.txt" });
    entered.length = 0;
    const { status } = await session.call(tool, inputs[tool]!);
    traces.push([...entered]);
    if (status !== "done") throw new Error(`${tool} ended as ${status}`);
  }
  await runtime.close();
  await rm(folder, { recursive: true });
  return traces;
}

function countRoomChanges(trace: readonly string[]): number {
  const rooms = trace
    .map((name) => roomOf(name.split(":")[0]!))
    .filter((room) => !["shared", "tool"].includes(room));
  return rooms.filter((room, index) => index > 0 && room !== rooms[index - 1]).length;
}

/** The module, in which each function that has a name says so when it begins. */
function noteEntries(path: string, text: string): string {
  const added: [offset: number, text: string][] = [];
  const note = (name: string, declared: Node | null | undefined) => {
    const body = declared && "body" in declared && functionTypes.has(declared.type) ? declared.body : null;
    if (body === null || Array.isArray(body)) return;
    const entry = `noteEntry(${JSON.stringify(`${path}: ${name}`)})`;
    if (body.type === "BlockStatement") added.push([body.start + 1, `${entry};`]);
    else added.push([body.start, `(${entry}, `], [body.end, ")"]);
  };
  const nameOf = (key: Node) => text.slice(key.start, key.end);
  new Visitor({
    FunctionDeclaration: (node) => note(node.id?.name ?? "default", node),
    VariableDeclarator: ({ id, init }) => note(nameOf(id), init),
    Property: ({ key, value }) => note(nameOf(key), value),
    PropertyDefinition: ({ key, value }) => note(nameOf(key), value),
    MethodDefinition: ({ key, value }) => note(nameOf(key), value),
  }).visit(parseSync(path, text).program);
  // From the end, so that offsets stay true.
  const inOrder = added.toSorted(([left], [right]) => right - left);
  return inOrder.reduce((all, [offset, piece]) => all.slice(0, offset) + piece + all.slice(offset), text);
}
