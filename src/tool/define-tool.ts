import { type JsonSchema, SchemaError, type Validation } from "../shared/json-schema/json-schema.ts";
import {
  type CheckedSchema,
  createCheckedSchema,
  type InferSchema,
  type SchemaDeclaration,
} from "./input-schema.ts";
import { type InferParams, type ParamDefinitions, paramsToJsonSchema } from "./params.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { SessionView, ToolContext } from "./tool-context.ts";
import { defaultTraits, type SafetyLevel, safetyLevelOf, type Traits } from "./traits.ts";
import type { Wording } from "./wording.ts";

/** What an author writes, apart from the input's schema. */
export interface ToolBody<Input, Output> {
  readonly name: string;
  /** For the model. A function gets the session and is called whenever the tool is listed. */
  readonly description: string | ((session: SessionView) => string);
  /** Checked after `run`; the caller then may rely on `data`. */
  readonly output?: SchemaDeclaration;
  readonly traits?: Partial<Traits<Input>>;
  readonly aliases?: readonly string[];
  /** Words by which a tool search should find it. */
  readonly searchHint?: string;
  /** A manual for the model, longer than the description. */
  readonly prompt?: string;
  /** What the call wants to touch; without it a tool that is not read-only counts as able to do anything. */
  readonly permission?: (input: Input) => PermissionRequest | readonly PermissionRequest[];
  readonly run: (input: Input, context: ToolContext) => Output | Promise<Output>;
  /** Tells what `run` would change, and changes nothing. */
  readonly dryRun?: (input: Input, context: ToolContext) => unknown;
  /** Takes back what `run` did. */
  readonly undo?: (done: { input: Input; output: Output }, context: ToolContext) => unknown;
  /** What the model reads; without it strings stay as they are and values become JSON. */
  readonly toText?: (output: Output, wording: Wording) => string;
  /** How much text the model gets at most; the rest is kept on disk. */
  readonly maxOutputCharacters?: number;
}

/** A tool as the runtime holds it: data and functions, with every default filled in. */
export interface Tool<Input, Output> extends Omit<ToolBody<Input, Output>, "traits" | "output" | "aliases"> {
  readonly traits: Traits<Input>;
  readonly aliases: readonly string[];
  readonly safetyLevel: SafetyLevel;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  validateInput(value: unknown): Validation | Promise<Validation>;
  validateOutput?(value: unknown): Validation | Promise<Validation>;
}

// biome-ignore lint/suspicious/noExplicitAny: the one erased type; input and output were checked where the tool was defined
export type AnyTool = Tool<any, any>;

type AnyDefinition = ErasedBody & {
  readonly input?: SchemaDeclaration;
  readonly params?: ParamDefinitions;
  readonly output?: SchemaDeclaration;
  readonly traits?: Partial<AnyTool["traits"]>;
  readonly aliases?: readonly string[];
};
type ErasedBody = Omit<
  AnyTool,
  "traits" | "aliases" | "safetyLevel" | "inputSchema" | "outputSchema" | "validateInput" | "validateOutput"
>;

/** Defines a tool from a Standard Schema or JSON Schema (`input`), or from the shorthand (`params`). */
export function defineTool<const Params extends ParamDefinitions, Output>(
  definition: { readonly params: Params; readonly input?: never } & ToolBody<InferParams<Params>, Output>,
): Tool<InferParams<Params>, Output>;
export function defineTool<const Schema extends SchemaDeclaration, Output>(
  definition: { readonly input: Schema; readonly params?: never } & ToolBody<InferSchema<Schema>, Output>,
): Tool<InferSchema<Schema>, Output>;
export function defineTool(definition: AnyDefinition): AnyTool {
  const { name } = definition;
  checkName(name, "a tool's name");
  for (const alias of definition.aliases ?? []) checkName(alias, `alias of ${name}`);
  if (typeof definition.run !== "function") throw new TypeError(`${name}: run must be a function`);
  checkDescription(definition);

  const input = atDefinition(name, () => createCheckedSchema(inputDeclaration(definition)));
  if (input.json.type !== "object") {
    throw new SchemaError(
      `${name}: the input must be an object with named parameters, so its schema needs type "object"`,
    );
  }
  const { output: outputDeclaration, params: _params, input: _input, ...body } = definition;
  const output = outputDeclaration && atDefinition(name, () => createCheckedSchema(outputDeclaration));
  return {
    ...body,
    traits: { ...defaultTraits, ...definition.traits },
    aliases: definition.aliases ?? [],
    safetyLevel: safetyLevelOf(definition),
    inputSchema: input.json,
    validateInput: input.validate,
    ...(output && { outputSchema: output.json, validateOutput: output.validate }),
  };
}

/** Defines several tools at once; the types of each stay its own. */
export function defineTools<const Tools extends readonly AnyTool[]>(tools: Tools): Tools {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw new TypeError(`${name} is defined twice`);
    names.add(name);
  }
  return tools;
}

// What every model vendor accepts; a first letter keeps names such as __proto__ out altogether.
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function checkName(name: unknown, what: string): asserts name is string {
  if (typeof name !== "string" || !namePattern.test(name)) {
    throw new TypeError(
      `${what} must be 1 to 64 letters, digits, _ or -, starting with a letter; received ${JSON.stringify(name)}`,
    );
  }
}

function checkDescription({ name, description }: AnyDefinition): void {
  const isText = typeof description === "string" && description.trim() !== "";
  if (!isText && typeof description !== "function") {
    throw new TypeError(`${name}: the description must be a non-empty string or a function of the session`);
  }
}

function inputDeclaration(definition: {
  input?: SchemaDeclaration;
  params?: ParamDefinitions;
}): SchemaDeclaration {
  if (definition.input !== undefined && definition.params !== undefined) {
    throw new SchemaError("give either input or params, not both");
  }
  if (definition.params !== undefined) return paramsToJsonSchema(definition.params);
  if (definition.input !== undefined) return definition.input;
  throw new SchemaError("input is missing: give input (a schema) or params (the shorthand)");
}

function atDefinition(name: string, create: () => CheckedSchema): CheckedSchema {
  try {
    return create();
  } catch (error) {
    if (error instanceof SchemaError) throw new SchemaError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}
