import type { AnyTool } from "../../../tool/define-tool.ts";
import { canonicalWording } from "../../../tool/wording.ts";
import type { DialectView, ResolvedName } from "../../dialects/dialect-view.ts";

/** A view in which every name leads to one tool that is in no catalogue; messages stay those of the session's dialect. */
export function createSingleToolView(tool: AnyTool, view: DialectView): DialectView {
  const resolved: ResolvedName = {
    entry: { name: tool.name, tool, layer: "builtin", source: "built-in" },
    spokenName: tool.name,
    wording: canonicalWording,
    outputLimit: { maxCharacters: 30_000, headShare: 0.8 },
    translateInput: (input) => ({ ok: true, input }),
    translateIssue: (issue) => issue,
    encodeData: (data) => data,
  };
  return { ...view, resolve: () => resolved };
}
