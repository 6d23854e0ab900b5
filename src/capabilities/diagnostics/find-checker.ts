import { join } from "node:path";
import { findInstalled } from "../../shared/programs/find-installed.ts";

/** A program that is named without a path is a package of the project, if that has one of the name. */
export async function findChecker(
  [program = "", ...args]: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (program.includes("/")) return [program, ...args];
  return [(await findInstalled(program, [join(root, "node_modules/.bin")])) ?? program, ...args];
}
