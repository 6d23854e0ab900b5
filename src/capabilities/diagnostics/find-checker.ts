import { join } from "node:path";
import { findInstalled } from "../../shared/programs/find-installed.ts";

/** Finds the program of a checker: one without a path is taken from the project's packages, if they have it. */
export async function findChecker(
  [program = "", ...args]: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (program.includes("/")) return [program, ...args];
  return [(await findInstalled(program, [join(root, "node_modules/.bin")])) ?? program, ...args];
}
