import type { AnyTool } from "../../tool/define-tool.ts";
import type { Dialect } from "./dialect.ts";
import type { LocatedTool } from "./name-lookup.ts";
import { createCanonicalForm, createDialectForm, type ToolForm } from "./tool-form.ts";

/** Translates each tool once, however often it is listed and called. */
export function createFormCache({ pathPolicy }: Dialect): (located: LocatedTool) => ToolForm {
  const canonicalForms = new WeakMap<AnyTool, ToolForm>();
  const dialectForms = new WeakMap<AnyTool, ToolForm>();
  return ({ entry: { tool }, row }) =>
    row === undefined
      ? getOrCreate(canonicalForms, tool, () => createCanonicalForm(tool))
      : getOrCreate(dialectForms, tool, () => createDialectForm(tool, { row, pathPolicy }));
}

function getOrCreate(forms: WeakMap<AnyTool, ToolForm>, tool: AnyTool, create: () => ToolForm): ToolForm {
  const known = forms.get(tool);
  if (known !== undefined) return known;
  const form = create();
  forms.set(tool, form);
  return form;
}
