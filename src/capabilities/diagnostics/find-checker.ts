import { access, constants } from "node:fs/promises";
import { join } from "node:path";

/** A program that is named without a path is a package of the project, if that has one of the name. */
export async function findChecker(
  [program = "", ...args]: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (program.includes("/")) return [program, ...args];
  const own = join(root, "node_modules/.bin", program);
  const isThere = await access(own, constants.X_OK).then(
    () => true,
    () => false,
  );
  return [isThere ? own : program, ...args];
}
