import { relativeInside } from "../../../shared/relative-inside.ts";
import type { CommandWorld } from "./command-finding.ts";
import type { Report } from "./report.ts";

/** A file of the workspace that is found under a program's bare name is not that program. */
export async function checkPathOfProgram(name: string, report: Report, world: CommandWorld): Promise<void> {
  const path = await world.programPath?.(name);
  if (path === undefined) return;
  if (relativeInside(world.root ?? world.directory, path) !== undefined) {
    report.ask(`${name} would be ${path}, a file of the workspace`);
    report.run(path);
  }
}
