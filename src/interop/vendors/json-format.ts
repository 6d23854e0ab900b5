import type { PresentedTool } from "../../runtime/dialects/dialect-view.ts";
import type { ToolFormat } from "../tool-format.ts";

/** Tools as they are, with plain JSON Schema. Nobody's messages look like it. */
export const jsonFormat: ToolFormat<PresentedTool[], never> = {
  limitsNames: false,
  renderTools: (tools) => [...tools],
  readCalls: () => undefined,
  renderAnswers: () => [],
};
