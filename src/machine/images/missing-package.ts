import { ToolError } from "../../tool/tool-error.ts";

export function missingPackage(name: string, purpose: string): ToolError {
  return new ToolError(
    "unavailable",
    `${purpose} needs the optional package ${name}, which is not installed`,
    {
      hint: `Install it with "npm install ${name}", or convert the image to a small upright PNG or JPEG first.`,
    },
  );
}
