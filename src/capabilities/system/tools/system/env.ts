import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { aText, objectOf, texts } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { SystemVariables } from "../../../../tool/services/system.ts";

export default declareTool({
  name: "system_env",
  description:
    "Show environment variables. Only names on a short list can be shown (PATH, SHELL, LANG, LC_ALL, TZ, TERM, TMPDIR, CI and those the user added), and never a value that looks like a secret.",
  params: {
    names: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 200 },
      maxItems: 100,
      required: false,
      description: "Names of variables; without them, all on the list that are set",
    },
  },
  prompt:
    "A variable that is not on the list cannot be shown by any call: ask the user for what you need to know.",
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, needs: ["read"] },
  output: objectOf({
    values: { type: "object", additionalProperties: aText },
    unset: texts,
    withheld: texts,
    notListed: texts,
  }),
  searchHint: "environment variable path locale timezone printenv",
  permission: () => ({ action: "read" }),
  run: ({ names }, { system }) => system.variables(names),
  toText: describeVariables,
});

function describeVariables({ values, unset, withheld, notListed }: SystemVariables): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoteControls(value)}`);
  if (unset.length > 0) lines.push(`Not set: ${unset.join(", ")}.`);
  if (withheld.length > 0) lines.push(`Not shown, because it looks like a secret: ${withheld.join(", ")}.`);
  if (notListed.length > 0)
    lines.push(
      `Not on the list of names that may be shown: ${notListed.join(", ")}. The user can add them with the option system.variables.`,
    );
  return lines.length === 0 ? "None of the listed variables is set." : lines.join("\n");
}
