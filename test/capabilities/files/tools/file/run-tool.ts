import type { AnyTool } from "../../../../../src/tool/define-tool.ts";
import type { Files } from "../../../../../src/tool/services/files.ts";
import type { ToolContext } from "../../../../../src/tool/tool-context.ts";
import { normalizeResult } from "../../../../../src/tool/tool-result.ts";
import { canonicalWording, type Wording } from "../../../../../src/tool/wording.ts";

/** Checks the input and runs a tool as the pipeline does, with nothing but files in its context. */
export async function runTool(tool: AnyTool, input: unknown, use: { files: Files; wording?: Wording }) {
  const checked = await tool.validateInput(input);
  if (!checked.ok) throw new Error(checked.issues.map(({ message }) => message).join("; "));
  const { files, wording = canonicalWording } = use;
  const context = {
    files,
    wording,
    maxOutputCharacters: Number.POSITIVE_INFINITY,
    markTruncated: () => {},
  };
  const output: unknown = await tool.run(checked.value, context as ToolContext);
  return normalizeResult(output, (value) => tool.toText?.(value, wording) ?? "");
}
