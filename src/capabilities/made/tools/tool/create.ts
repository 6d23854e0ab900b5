import { defined } from "../../../../shared/options/defined.ts";
import { aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { CreatedTool, ProposedTool } from "../../../../tool/services/made.ts";

export default declareTool({
  name: "tool_create",
  description:
    "Make a new tool for this project, when the same computation or conversion is needed again and again. It is checked, its examples are run in a sandbox, and a person has to approve it before it can be called.",
  input: {
    type: "object",
    properties: {
      name: {
        type: "string",
        pattern: "^[a-z][a-z0-9_]*$",
        maxLength: 64,
        description: "In lower case, such as csv_totals; not that of a tool that is there",
      },
      description: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "The purpose of the tool and when to use it",
      },
      input: { type: "object", description: "JSON Schema of its input: an object with named parameters" },
      language: { type: "string", enum: ["javascript", "typescript", "shell"] },
      code: {
        type: "string",
        minLength: 1,
        description:
          "A module whose default export is (input, context) => output, or a bash script that prints its output. A script gets each parameter as $input_<name>, and all of them as JSON on its standard input",
      },
      permissions: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "The methods of its context that a module calls, such as files.readText, files.writeText, search.grep, web.read, processes.run. It has no other way to files or the network",
      },
      examples: {
        type: "array",
        minItems: 1,
        maxItems: 10,
        description: "Calls with the output that is expected of each; they are run before a person is asked",
        items: {
          type: "object",
          properties: {
            input: { type: "object" },
            output: {
              anyOf: ["object", "array", "string", "number", "boolean", "null"].map((type) => ({ type })),
              description: "Exactly the value that the module returns, or the text that a script prints",
            },
            context: {
              type: "object",
              description: 'The answers of its context, such as {"files.readText": {"text": "a"}}',
            },
          },
          required: ["input", "output"],
          additionalProperties: false,
        },
      },
      timeout: { type: "integer", minimum: 1, maximum: 300_000, description: "In milliseconds" },
    },
    required: ["name", "description", "input", "language", "code", "examples"],
    additionalProperties: false,
  },
  prompt: `Make a tool only for work that will come up again; for a single time, use the tools that are there.
The code runs in a separate process without files, environment or network, and imports only Node's built-in modules. It reaches files and everything else through its context, as declared in permissions, and each use is judged like any call.
If it is not approved at once, it waits: go on without it. Proposing the same name again replaces it, once the new version is approved.`,
  traits: { needs: ["read"], requires: ["made"] },
  output: objectOf({
    id: { ...aText, description: "For `toolwright approve`" },
    name: aText,
    status: { type: "string", enum: ["active", "proposed"] },
    version: { type: "integer", minimum: 1 },
  }),
  searchHint: "make new own custom tool function script automate create_tool",
  // A proposal changes nothing; whether it becomes a tool is decided on its own, once it has been checked.
  permission: () => ({ action: "read" }),
  async run(given: unknown, { made, tools }): Promise<CreatedTool> {
    const { timeout, permissions = [], ...proposed } = given as CreateInput;
    const created = await made.propose({ ...proposed, permissions, ...defined({ timeoutMs: timeout }) });
    if (created.status === "active") await tools.activate(created.name);
    return created;
  },
  toText: ({ id, name, status, version }: CreatedTool) =>
    status === "active"
      ? `${name} is approved (version ${version}). You can call it from your next turn on.`
      : `${name} passed its checks and waits for approval: a person can run \`toolwright approve ${id}\`. Until then it cannot be called.`,
});

type CreateInput = Omit<ProposedTool, "permissions" | "timeoutMs"> & {
  readonly permissions?: readonly string[];
  readonly timeout?: number;
};
