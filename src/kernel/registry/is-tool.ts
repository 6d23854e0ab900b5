import type { AnyTool } from "../../tool/define-tool.ts";

/** Whether a value was made by `defineTool`. Goes by its shape, because it may come from another copy of the package. */
export function isTool(value: unknown): value is AnyTool {
  if (typeof value !== "object" || value === null) return false;
  const { name, run, validateInput, traits, aliases } = value as Partial<AnyTool>;
  return (
    typeof name === "string" &&
    typeof run === "function" &&
    typeof validateInput === "function" &&
    typeof traits === "object" &&
    Array.isArray(aliases)
  );
}
