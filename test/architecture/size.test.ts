import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { projectFolder, readText } from "./project-files.ts";
import { readSourceFiles, roomOf } from "./source-files.ts";

const file = "test/architecture/size.json";
const files = await readSourceFiles();
const limits = { functions: 120, members: 20, imports: 20 } as const;
const measured = await measure();

/**
 * What is larger than it should be, and how large each room is. The figures may only become smaller:
 * `TOOLWRIGHT_SIZE=update npx vitest run test/architecture/size.test.ts` writes down smaller ones and leaves the others.
 */
interface Sizes {
  /** Functions of more than 120 lines, interfaces of more than 20 members of their own, files with more than 20 imports. */
  readonly functions: Figures;
  readonly members: Figures;
  readonly imports: Figures;
  /** Lines with code, by room. */
  readonly lines: Figures;
  /** Files in all, and those that other rooms import. */
  readonly files: Figures;
  /** Named functions that a warm call runs, and how often the next one is in another room (`child-trace.ts`). */
  readonly trace: Figures;
}

type Figures = Readonly<Record<string, number>>;

test("size: nothing is larger than it was, and what became smaller is written down", async () => {
  const known = JSON.parse(await readText(file)) as Sizes;
  if (process.env.TOOLWRIGHT_SIZE === "update") {
    await writeFile(join(projectFolder, file), `${JSON.stringify(lower(known), undefined, 2)}\n`);
    return;
  }
  for (const kind of Object.keys(measured) as (keyof Sizes)[]) {
    const [was, is] = [known[kind], measured[kind]];
    const grown = Object.entries(is).filter(([name, size]) => size > (was[name] ?? 0));
    expect(Object.fromEntries(grown), `${kind} that have grown`).toEqual({});
    const shrunk = Object.entries(was).filter(([name, size]) => (is[name] ?? 0) < size * (1 - slack));
    expect(Object.fromEntries(shrunk), `${kind} that are smaller now: TOOLWRIGHT_SIZE=update`).toEqual({});
  }
});

// So that not every line that goes has to be written down.
const slack = 0.03;

function lower(known: Sizes): Sizes {
  const least = (was: Figures, is: Figures) =>
    Object.fromEntries(
      Object.entries(is)
        .sort()
        .map(([name, size]) => [name, Math.min(size, was[name] ?? size)]),
    );
  const kinds = Object.keys(measured) as (keyof Sizes)[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, least(known[kind] ?? {}, measured[kind])]),
  ) as unknown as Sizes;
}

async function measure(): Promise<Sizes> {
  const functions: Record<string, number> = {};
  const members: Record<string, number> = {};
  const imports: Record<string, number> = {};
  const lines: Record<string, number> = {};
  const visible = new Set<string>();
  for (const { path, folder, code, imports: found } of files) {
    lines[folder] = (lines[folder] ?? 0) + code.split("\n").filter((line) => line.trim() !== "").length;
    const own = found.filter(({ isOwn }) => isOwn).map(({ target }) => target);
    // A door lists what other rooms may use, and imports it from all of its room.
    if (!path.endsWith("/index.ts")) note(imports, path, new Set(own).size, limits.imports);
    for (const target of own) if (roomOf(target) !== roomOf(path)) visible.add(target);
    const text = await readText(join("src", path));
    const { program } = parseSync(path, text);
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
    const noteFunction = (node: Node, name: string) =>
      note(functions, `${path}: ${name}`, lineOf(node.end) - lineOf(node.start) + 1, limits.functions);
    new Visitor({
      FunctionDeclaration: (node) => noteFunction(node, node.id?.name ?? "default"),
      FunctionExpression: (node) => noteFunction(node, "function"),
      ArrowFunctionExpression: (node) => noteFunction(node, "arrow"),
      TSInterfaceDeclaration: (node) =>
        note(members, `${path}: ${node.id.name}`, node.body.body.length, limits.members),
    }).visit(program);
  }
  const outside = [...visible].filter((path) => !["tool", "shared"].includes(roomOf(path)));
  const counts = { all: files.length, visible: outside.length };
  return { functions, members, imports, lines, files: counts, trace: await traceCalls() };
}

async function traceCalls(): Promise<Figures> {
  const program = join(projectFolder, "test/architecture/child-trace.ts");
  // With one thread, reads and writes that begin together end in the same order each time.
  const env = { ...process.env, UV_THREADPOOL_SIZE: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return JSON.parse(stdout) as Figures;
}

function note(figures: Record<string, number>, name: string, size: number, limit: number): void {
  if (size > limit) figures[name] = Math.max(size, figures[name] ?? 0);
}
