import { ToolError } from "../../tool/tool-error.ts";

/** Error for bytes that start like an image but are damaged or incomplete. */
export function brokenImage(format: string, cause: unknown): ToolError {
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return new ToolError("binary-file", `the ${format.toUpperCase()} image is damaged or cut off: ${reason}`, {
    hint: "Get the file again from its source, or save it again in an image editor.",
    cause,
  });
}

export function missingPackage(name: string, purpose: string): ToolError {
  const hint = `Install it with "npm install ${name}", or convert the image to a small upright PNG or JPEG first.`;
  const message = `${purpose} needs the optional package ${name}, which is not installed`;
  return new ToolError("unavailable", message, { hint });
}
