import type { CheckContext } from "../program.ts";
import type { Report } from "../report.ts";
import { isPattern, withoutEscapes } from "./expand-glob.ts";

/** Asks if a program that goes through links would get from what it reads to somewhere else. */
export async function followLinks(report: Report, { name, world }: CheckContext): Promise<void> {
  for (const path of [...report.found.reads]) {
    if (await world.leadsOut(withoutPattern(path)))
      return report.ask(`${name} would follow links from ${path} to other places`, { onlyReads: true });
  }
}

/** The folder in which a pattern is looked for. */
export function withoutPattern(path: string): string {
  const parts = path.split("/");
  const first = parts.findIndex(isPattern);
  return first === -1 ? path : withoutEscapes(parts.slice(0, first).join("/")) || "/";
}
