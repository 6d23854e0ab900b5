import type { AnyTool } from "./define-tool.ts";
import type { SessionView } from "./tool-context.ts";

/** A tool's description for the model. Empty if the tool's function throws, so that other tools can still be listed. */
export function descriptionOf({ description }: Pick<AnyTool, "description">, session: SessionView): string {
  if (typeof description === "string") return description;
  try {
    return String(description(session));
  } catch {
    return "";
  }
}
