import type { StartableProgram } from "../../../machine/sandbox/index.ts";
import { markerVariable } from "../../../shared/process-environment.ts";

/** Bash with the command unchanged, and without the user's own settings. */
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
    // `--` because the command may start with a dash; the last argument is bash's name in its messages.
    args: ["--norc", "--noprofile", "-c", "--", command, "bash"],
    environment: { ...environment, [markerVariable]: marker },
  };
}
