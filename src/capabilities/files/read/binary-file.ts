import type { Content } from "../../../shared/content/classify-content.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { ToolError } from "../../../tool/tool-error.ts";

export function binaryFile(
  content: Extract<Content, { kind: "binary" }>,
  { path, sizeBytes }: { path: string; sizeBytes: number },
): ToolError {
  const what = content.format?.name ?? "binary data";
  return new ToolError(
    "binary-file",
    `${path} is a binary file, not text: ${what}, ${countOf(sizeBytes, "byte")}`,
    { hint: `Use a program that understands ${what}.` },
  );
}
