import type { AnyTool } from "./define-tool.ts";
import type { SessionView } from "./tool-context.ts";

/** What a model is told of a tool. Where its author's code fails to say, nothing: the other tools must still be listed. */
export function descriptionOf({ description }: Pick<AnyTool, "description">, session: SessionView): string {
  if (typeof description === "string") return description;
  try {
    return String(description(session));
  } catch {
    return "";
  }
}
