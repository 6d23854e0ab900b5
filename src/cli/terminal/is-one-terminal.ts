import { fstat } from "node:fs";
import { isatty } from "node:tty";
import { promisify } from "node:util";

/** Whether data and talk come to the same screen, so that whoever reads one has read the other. */
export async function isOneTerminal(): Promise<boolean> {
  if (!isatty(1) || !isatty(2)) return false;
  const [data, talk] = await Promise.all([promisify(fstat)(1), promisify(fstat)(2)]);
  return data.rdev === talk.rdev;
}
