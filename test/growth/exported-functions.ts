import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { projectFolder } from "../architecture/project-files.ts";

/** A function that takes text. */
export interface TextFunction {
  /** Its file, inside src. */
  readonly file: string;
  readonly name: string;
  /** Whether text is all that it needs, and its answer comes at once. */
  readonly takesTextAlone: boolean;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The exported functions of a folder of src, with a parameter of text or of lines. */
export async function findTextFunctions(folder: string): Promise<TextFunction[]> {
  const entries = await readdir(join(projectFolder, "src", folder), { recursive: true });
  const files = entries.filter((entry) => entry.endsWith(".ts")).sort();
  const found = await Promise.all(
    files.map(async (entry) => {
      const file = join(folder, entry);
      const source = await readFile(join(projectFolder, "src", file), "utf8");
      const { program } = parseSync(file, source);
      return (program.body as unknown as Node[]).flatMap((statement) => readStatement(statement, file));
    }),
  );
  return found.flat();
}

function readStatement({ type, declaration }: Node, file: string): TextFunction[] {
  const declared = declaration as Node | null | undefined;
  if (type !== "ExportNamedDeclaration" || declared?.type !== "FunctionDeclaration") return [];
  const params = declared.params as Node[];
  const [first, ...others] = params;
  if (!params.some((param) => holdsText(param.type === "AssignmentPattern" ? param.left : param))) return [];
  const isAsync =
    declared.async === true || JSON.stringify(declared.returnType ?? null).includes('"Promise"');
  const takesTextAlone =
    !isAsync &&
    first !== undefined &&
    isText(first) &&
    others.every((param) => param.type === "AssignmentPattern" || param.optional === true);
  return [{ file, name: (declared.id as unknown as { name: string }).name, takesTextAlone }];
}

function isText(param: Node): boolean {
  const annotation = (param.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined;
  return annotation?.type === "TSStringKeyword";
}

/** Whether the type of a parameter mentions text anywhere, such as in a list or in one of several options. */
function holdsText(param: unknown): boolean {
  const annotation = (param as { typeAnnotation?: unknown }).typeAnnotation;
  return annotation !== undefined && JSON.stringify(annotation).includes('"TSStringKeyword"');
}
