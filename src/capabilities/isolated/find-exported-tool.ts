import { isTool } from "../../kernel/registry/is-tool.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** The tool of this name among what a module exports: a tool, a list of tools, or a plugin with tools. */
export function findExportedTool(exported: object, name: string): AnyTool {
  const found = toolsIn(exported).find((tool) => tool.name === name);
  if (found !== undefined) return found;
  throw new ToolError("tool-failed", `${name} is isolated, and its module exports no tool of that name`, {
    hint: "Export the tool, or a list or plugin with it, from the module that its trait isolated names.",
  });
}

function toolsIn(exported: object): readonly AnyTool[] {
  // Compilers to CommonJS put the default export one level deeper.
  const values = Object.values(exported).flatMap((value) =>
    isObject(value) && "default" in value ? [value, value.default] : [value],
  );
  return values.flatMap((value) => {
    if (isTool(value)) return [value];
    const list = isObject(value) && "tools" in value ? value.tools : value;
    return Array.isArray(list) ? list.map(unwrap).filter(isTool) : [];
  });
}

/** A list may say of a tool that it overrides another. */
function unwrap(entry: unknown): unknown {
  return isObject(entry) && "tool" in entry ? entry.tool : entry;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
