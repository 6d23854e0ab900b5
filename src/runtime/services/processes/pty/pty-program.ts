import { ToolError } from "../../../../tool/tool-error.ts";
import type { Program, WrappedProgram } from "../../../sandbox/sandbox.ts";
import { firstHandedDescriptor } from "../supervisor/supervisor-order.ts";

/**
 * A program that opens for itself the descriptors it expects: a terminal is started with three and no others, and here
 * ours can be found under our own process. They have to stay open here until it has ended.
 */
export function handDescriptors(program: Program | WrappedProgram, { shell }: { shell: string }): Program {
  const descriptors = "descriptors" in program ? program.descriptors : [];
  if (descriptors.length === 0) return program;
  if (process.platform !== "linux") {
    throw new ToolError("unavailable", "a command in this sandbox cannot have a terminal on this system");
  }
  const opened = descriptors.map(
    (descriptor, index) => `${firstHandedDescriptor + index}</proc/${process.pid}/fd/${descriptor}`,
  );
  const script = `exec ${opened.join(" ")}; exec "$0" "$@"`;
  return { ...program, file: shell, args: ["-c", script, program.file, ...program.args] };
}
