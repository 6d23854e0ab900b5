import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { projectFolder } from "../architecture/project-files.ts";

/** A function that takes text, or what may hold text. */
export interface TextFunction {
  /** Its file, inside src. */
  readonly file: string;
  readonly name: string;
  /** What it takes, where that is all it needs and its answer comes at once. */
  readonly takesAlone: Taken | undefined;
}

export type Taken = "text" | "bytes" | "value" | "schema";

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The exported functions of src that have a parameter of text, of lines, or of a type that others fill with text. */
export async function findTextFunctions(): Promise<TextFunction[]> {
  const entries = await readdir(join(projectFolder, "src"), { recursive: true });
  const files = entries.filter((entry) => entry.endsWith(".ts")).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(join(projectFolder, "src", file), "utf8");
      const { program } = parseSync(file, source);
      return (program.body as unknown as Node[]).flatMap((statement) => readStatement(statement, file));
    }),
  );
  return found.flat();
}

function readStatement({ type, declaration }: Node, file: string): TextFunction[] {
  const declared = declaration as Node | null | undefined;
  if (type !== "ExportNamedDeclaration") return [];
  if (declared?.type === "FunctionDeclaration") return readFunction(declared, declared.id, file);
  if (declared?.type !== "VariableDeclaration") return [];
  return (declared.declarations as Node[]).flatMap(({ id, init }) =>
    (init as Node | null)?.type === "ArrowFunctionExpression" ? readFunction(init as Node, id, file) : [],
  );
}

function readFunction(declared: Node, id: unknown, file: string): TextFunction[] {
  const [first, ...others] = declared.params as Node[];
  if (first === undefined || ![first, ...others].some(holdsText)) return [];
  const isAsync =
    declared.async === true || JSON.stringify(declared.returnType ?? null).includes('"Promise"');
  const needsMore = others.some((param) => param.type !== "AssignmentPattern" && param.optional !== true);
  const takesAlone = isAsync || needsMore ? undefined : takenBy(first);
  return [{ file, name: (id as { name: string }).name, takesAlone }];
}

function takenBy(param: Node): Taken | undefined {
  const annotation = (param.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined;
  const { name } = (annotation?.typeName ?? {}) as { name?: string };
  return takenAs.get(name ?? annotation?.type ?? "");
}

const takenAs: ReadonlyMap<string, Taken> = new Map([
  ["TSStringKeyword", "text"],
  ["TSUnknownKeyword", "value"],
  ["Buffer", "bytes"],
  ["Uint8Array", "bytes"],
  ["JsonSchema", "schema"],
]);

/** Types that others fill with text, though their names do not say so. */
const filledByOthers = ["ApprovalRequest", "ContentPart", "LoggedEvent", "Question", "Tool"];

/** Whether the type of a parameter mentions text anywhere, such as in a list or in one of several options. */
function holdsText(param: Node): boolean {
  const { typeAnnotation } = (param.type === "AssignmentPattern" ? param.left : param) as Node;
  const written = JSON.stringify(typeAnnotation ?? null);
  return [...takenAs.keys(), ...filledByOthers].some((name) => written.includes(`"${name}"`));
}
