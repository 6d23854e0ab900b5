import { ToolError } from "../../../../tool/tool-error.ts";

/** The error for bytes that begin like an image and are none, or not all of one. */
export function brokenImage(format: string, cause: unknown): ToolError {
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return new ToolError("binary-file", `the ${format.toUpperCase()} image is damaged or cut off: ${reason}`, {
    hint: "Get the file again from where it came from, or make a new copy of it in an image program.",
    cause,
  });
}
