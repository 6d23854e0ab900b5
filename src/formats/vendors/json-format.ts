import type { PresentedTool } from "../../kernel/dialects/dialect-view.ts";
import type { ToolFormat } from "../tool-format.ts";

/** Tools with plain JSON Schema. There are no messages in this format. */
export const jsonFormat: ToolFormat<PresentedTool[], never> = {
  limitsNames: false,
  renderTools: (tools) => [...tools],
  readCalls: () => undefined,
  renderAnswers: () => [],
};
