import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { GuestPool } from "./guest/guest-pool.ts";
import { grants, type MadeTool, madeLanguages } from "./made-tool.ts";

const maxCodeCharacters = 64_000;
const maxContentCharacters = 128_000;
const maxTimeoutMs = 300_000;

/** The shape of a made tool, in a file or in a proposal. */
const madeToolSchema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 64, pattern: "^[a-z][a-z0-9_]*$" },
    description: { type: "string", minLength: 1, maxLength: 1000 },
    input: { type: "object" },
    language: { type: "string", enum: [...madeLanguages] },
    code: { type: "string", minLength: 1, maxLength: maxCodeCharacters },
    permissions: { type: "array", maxItems: 20, items: { type: "string", enum: [...grants.keys()] } },
    examples: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      items: {
        type: "object",
        properties: { input: { type: "object" }, output: {}, context: { type: "object" } },
        required: ["input", "output"],
        additionalProperties: false,
      },
    },
    timeoutMs: { type: "integer", minimum: 1, maximum: maxTimeoutMs },
  },
  required: ["name", "description", "input", "language", "code", "permissions", "examples"],
  additionalProperties: false,
};

const checkShape = compileSchema(madeToolSchema, { fillsDefaults: false });

/** The tool, if it is one that could be approved; throws a ToolError that names its faults. Runs nothing of it. */
export function checkMadeTool(
  given: unknown,
  { redactor }: { readonly redactor: Pick<Redactor, "text"> },
): MadeTool {
  const shape = checkShape(given);
  if (!shape.ok) throw wrong(shape.issues.map(({ message }) => message).join("; "));
  const tool = shape.value as MadeTool;
  if (JSON.stringify(tool).length > maxContentCharacters) throw wrong("it is too long");
  checkInput(tool);
  if (tool.language === "shell" && tool.permissions.length > 0)
    throw wrong("a shell script has no context: leave permissions empty, or write it in JavaScript");
  for (const text of [tool.code, tool.description, JSON.stringify(tool.examples)]) {
    const masked = redactor.text(text);
    if (masked === text) continue;
    const lines = text.split("\n");
    const at = masked.split("\n").find((line, index) => line !== lines[index]);
    throw wrong(`it contains what looks like a secret: ${at?.trim().slice(0, 200)}`);
  }
  return tool;
}

/** The schema must be usable as a tool's, and every example must fit it. */
function checkInput({ name, description, input, language, examples }: MadeTool): void {
  try {
    const { validateInput } = defineTool({ name, description, input, run: () => null });
    for (const [index, example] of examples.entries()) {
      const validation = validateInput(example.input);
      if (validation instanceof Promise || validation.ok) continue;
      throw wrong(`example ${index + 1}: ${validation.issues.map(({ message }) => message).join("; ")}`);
    }
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw wrong((error as Error).message);
  }
  const names = isPlainObject(input.properties) ? Object.keys(input.properties) : [];
  const odd = names.find((each) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(each));
  if (language === "shell" && odd !== undefined)
    throw wrong(
      `a script's parameters become variables, so ${JSON.stringify(odd)} cannot be the name of one`,
    );
}

function wrong(why: string): ToolError {
  return new ToolError("invalid-input", `the tool cannot be made: ${why}`, {
    hint: "Nothing was kept. Change it and propose it again.",
  });
}

/**
 * Runs the tool's examples in the sandbox, in one process, where its context answers only what each example says. Throws if
 * one differs.
 */
export async function runExamples(tool: MadeTool, pool: GuestPool, signal: AbortSignal): Promise<void> {
  const sessionId = `examples of ${tool.name}`;
  try {
    for (const [index, { input, output, context = {} }] of tool.examples.entries()) {
      const number = index + 1;
      const use = async (name: string) => {
        if (tool.permissions.includes(name) && Object.hasOwn(context, name)) return context[name];
        throw new ToolError("unavailable", `example ${number} does not say what ${name} answers`);
      };
      const given = await pool.run(tool, input, { sessionId, signal, use }).catch((error: unknown) => {
        if (!(error instanceof ToolError) || error.code === "unavailable") throw error;
        throw failed(tool, number, error);
      });
      if (canonicalJson(given) === canonicalJson(output)) continue;
      const message = `it returns ${show(given)} where ${show(output)} was expected`;
      throw failed(tool, number, { code: "tool-failed", message });
    }
  } finally {
    await pool.forget(sessionId);
  }
}

function failed(
  { name }: MadeTool,
  example: number,
  { code, message }: Pick<ToolError, "code" | "message">,
): ToolError {
  return new ToolError(code, `example ${example} of ${name}: ${message}`, {
    hint: "Nothing was kept. Change the tool or its example, and propose it again.",
  });
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 500) ?? "nothing";
}
