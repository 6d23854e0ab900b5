import { defineTool } from "../../src/index.ts";
import type { FormFields } from "../../src/tool/forms/form-fields.ts";

/** What the official suite expects of tools that ask for several things at once. */
export const formTools = [
  formTool("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  formTool("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("value1", "value2", "value3") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled("value1", "value2", "value3") } },
  }),
];

function formTool(name: string, fields: FormFields) {
  return defineTool({
    name,
    description: "Asks for several things at once",
    params: {},
    traits: { readOnly: true },
    async run(_input, { ask }) {
      const answers = await ask({ text: "Please fill in", fields });
      return `Elicitation completed: action=accept, content=${JSON.stringify(answers)}`;
    },
  });
}

function titled(...values: readonly string[]) {
  return values.map((value) => ({ const: value, title: `The ${value}` }));
}
