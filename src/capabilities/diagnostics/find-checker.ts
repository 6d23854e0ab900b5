import { join } from "node:path";
import { findProgram } from "../../shared/programs/find-program.ts";

/** A program that is named without a path is a package of the project, if that has one of the name. */
export async function findChecker(
  [program = "", ...args]: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (program.includes("/")) return [program, ...args];
  return [(await findProgram(program, [join(root, "node_modules/.bin")])) ?? program, ...args];
}
