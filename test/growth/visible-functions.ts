import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { projectFolder } from "../architecture/project-files.ts";
import { folderOf } from "../architecture/source-files.ts";

/** What other rooms can call: what they import by name, and what an entry of the package exports. As `file: name`. */
export async function findVisibleNames(): Promise<ReadonlySet<string>> {
  const source = join(projectFolder, "src");
  const files = (await readdir(source, { recursive: true })).filter((path) => path.endsWith(".ts"));
  const visible = new Set<string>();
  for (const file of files) {
    const text = await readFile(join(source, file), "utf8");
    // Of a module that is loaded later, everything may be called.
    const note = (from: Node | null, name = "*") => {
      if (from?.type !== "Literal" || typeof from.value !== "string" || !from.value.startsWith(".")) return;
      const target = posix.join(dirname(file), from.value);
      if (folderOf(target) !== folderOf(file) || file.endsWith("index.ts")) visible.add(`${target}: ${name}`);
    };
    new Visitor({
      ImportDeclaration: ({ source: from, specifiers }) => {
        for (const each of specifiers)
          note(from, each.type === "ImportSpecifier" ? nameOf(each.imported) : undefined);
      },
      ExportNamedDeclaration: ({ source: from, specifiers }) => {
        for (const { local } of specifiers) note(from, nameOf(local));
      },
      ImportExpression: ({ source: from }) => note(from),
    }).visit(parseSync(file, text).program);
  }
  return visible;
}

function nameOf(name: Node): string {
  return name.type === "Identifier" ? name.name : "*";
}
