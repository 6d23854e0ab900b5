import type { StartableProgram } from "../../../sandbox/sandbox.ts";
import { markerVariable } from "./process-tree.ts";

/** Bash with exactly these bytes to run, and none of the user's own settings. */
export function shellProgram(
  command: string,
  {
    shell,
    environment,
    marker,
  }: { shell: string; environment: Readonly<Record<string, string>>; marker: string },
): StartableProgram {
  return {
    file: shell,
    // `--` because the command may begin with a dash; the name behind it is what bash calls itself in its messages.
    args: ["--norc", "--noprofile", "-c", "--", command, "bash"],
    environment: { ...environment, [markerVariable]: marker },
  };
}
