import { fstat } from "node:fs";
import { isatty } from "node:tty";
import { promisify } from "node:util";

/** Whether stdout and stderr are the same terminal, so that a person sees both. */
export async function isOneTerminal(): Promise<boolean> {
  if (!isatty(1) || !isatty(2)) return false;
  const [stdout, stderr] = await Promise.all([promisify(fstat)(1), promisify(fstat)(2)]);
  return stdout.rdev === stderr.rdev;
}
