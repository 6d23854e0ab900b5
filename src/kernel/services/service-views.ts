import type { ToolContext, ToolServices } from "../../tool/tool-context.ts";

/** What a call gets of each service: everything in the tool's context, and `ask`. */
export interface ServiceViews extends ToolServices {
  readonly questions: Pick<ToolContext, "ask">;
}

export type ServiceName = keyof ServiceViews;
