import { isPlainObject } from "../shared/json.ts";
import { type JsonSchema, SchemaError, type Validation } from "../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../shared/json-schema/resolve-pointer.ts";
import { once } from "../shared/once.ts";
import { defined } from "../shared/options/defined.ts";
import { foreign, knownKeys, value } from "../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import { checkDefinition, checkName, functionFields } from "./check-definition.ts";
import {
  type CheckedSchema,
  createCheckedSchema,
  type InferSchema,
  type SchemaDeclaration,
} from "./input-schema.ts";
import { type InferParams, type ParamDefinitions, paramsToJsonSchema } from "./params.ts";
import type { PermissionRequest } from "./permission-request.ts";
import { readIsolated } from "./read-isolated.ts";
import type { SessionView, ToolContext } from "./tool-context.ts";
import {
  defaultTraits,
  type Safety,
  type SafetyLevel,
  safetyLevels,
  safetyOf,
  type Traits,
  traitKeys,
} from "./traits.ts";
import type { Wording } from "./wording.ts";

export { checkName } from "./check-definition.ts";

/** A tool's definition, apart from the input's schema. */
export interface ToolBody<Input, Output> {
  readonly name: string;
  /** Read by the model. A function gets the session and is called whenever the tool is listed. */
  readonly description: string | ((session: SessionView) => string);
  /** Schema of the output. It is checked after `run`, so that callers can rely on `data`. */
  readonly output?: SchemaDeclaration;
  readonly traits?: Partial<Traits<Input>>;
  readonly aliases?: readonly string[];
  /** Extra words that a tool search should find it by. */
  readonly searchHint?: string;
  /** Longer instructions for the model, added to the system prompt while the tool is offered. */
  readonly prompt?: string;
  /** The targets of the call. Without this, a tool that is not read-only counts as able to do anything. */
  readonly permission?: (input: Input) => PermissionRequest | readonly PermissionRequest[];
  readonly run: (input: Input, context: ToolContext) => Output | Promise<Output>;
  /** Returns what `run` would change, without changing it. */
  readonly dryRun?: (input: Input, context: ToolContext) => unknown;
  /** Reverts what `run` did, or returns an `UndoCall` that does. */
  readonly undo?: (done: { input: Input; output: Output }, context: ToolContext) => unknown;
  /** The text for the model. Default: strings as they are, other values as JSON. */
  readonly toText?: (output: Output, wording: Wording) => string;
  /** The most text that the model gets; if there is more, the full text is kept on disk. */
  readonly maxOutputCharacters?: number;
}

/** Another call that reverts what a call did. It is judged and recorded like any other. */
export interface UndoCall {
  readonly call: { readonly name: string; readonly input: unknown };
}

/** A defined tool, with all defaults filled in. */
export interface Tool<Input, Output> extends Omit<ToolBody<Input, Output>, "traits" | "output" | "aliases"> {
  readonly traits: Traits<Input>;
  readonly aliases: readonly string[];
  readonly safety: Safety;
  readonly safetyLevel: SafetyLevel;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  validateInput(value: unknown): Validation | Promise<Validation>;
  validateOutput?(value: unknown): Validation | Promise<Validation>;
}

// biome-ignore lint/suspicious/noExplicitAny: the one erased type; input and output were checked where the tool was defined
export type AnyTool = Tool<any, any>;

export type ParamsDefinition<Params extends ParamDefinitions, Output> = {
  readonly params: Params;
  readonly input?: never;
} & ToolBody<InferParams<Params>, Output>;

export type SchemaDefinition<Schema extends SchemaDeclaration, Output> = {
  readonly input: Schema;
  readonly params?: never;
} & ToolBody<InferSchema<Schema>, Output>;

/** A definition whose types TypeScript checked where it was written. */
export type AnyDefinition = Pick<AnyTool, (typeof carriedFields)[number]> & {
  readonly input?: SchemaDeclaration;
  readonly params?: ParamDefinitions;
  readonly output?: SchemaDeclaration;
  readonly traits?: Partial<AnyTool["traits"]>;
  readonly aliases?: readonly string[];
};

export const definitionKeys = knownKeys<AnyDefinition>({
  name: value,
  description: value,
  input: foreign,
  params: foreign,
  output: foreign,
  traits: traitKeys,
  aliases: value,
  searchHint: value,
  prompt: value,
  permission: value,
  run: value,
  dryRun: value,
  undo: value,
  toText: value,
  maxOutputCharacters: value,
});

/** A `run` that always throws has the type `never`, which would match every other tool's output. */
export type OutputOf<Output> = [Output] extends [never] ? unknown : Output;

/** Defines a tool from a Standard Schema or JSON Schema (`input`), or from the shorthand (`params`). */
export function defineTool<const Params extends ParamDefinitions, Output>(
  definition: ParamsDefinition<Params, Output>,
): Tool<InferParams<Params>, OutputOf<Output>>;
export function defineTool<const Schema extends SchemaDeclaration, Output>(
  definition: SchemaDefinition<Schema, Output>,
): Tool<InferSchema<Schema>, OutputOf<Output>>;
export function defineTool(definition: AnyDefinition): AnyTool {
  check(definition);
  const { name, output: declared } = definition;
  const output = declared && createOutputSchema(name, declared);
  return {
    // Copied, so that the schema becomes a plain value instead of a getter.
    ...createTool(definition, createInputSchema(definition)),
    ...defined({ outputSchema: output?.json, validateOutput: output?.validate }),
  };
}

/**
 * Like `defineTool`, for a definition known to be valid, such as a built-in one: its schemas are built on first use, and
 * its output is not checked after each call. Building the schemas of two dozen tools in order to call one of them would
 * slow down every start.
 */
export function declareTool<const Params extends ParamDefinitions, Output>(
  definition: ParamsDefinition<Params, Output>,
): Tool<InferParams<Params>, OutputOf<Output>>;
export function declareTool<const Schema extends SchemaDeclaration, Output>(
  definition: SchemaDefinition<Schema, Output>,
): Tool<InferSchema<Schema>, OutputOf<Output>>;
export function declareTool(definition: AnyDefinition): AnyTool {
  check(definition);
  return withOutputSchemaLater(createTool(definition, inputSchemaLater(definition)), definition);
}

/** Defines several tools at once: definitions, or tools that are already defined. */
export function defineTools<const Tools extends readonly AnyTool[]>(tools: Tools): Tools;
export function defineTools<const Params extends readonly ParamDefinitions[]>(
  definitions: {
    readonly [Index in keyof Params]: ParamsDefinition<Params[Index], unknown>;
  },
): { readonly [Index in keyof Params]: Tool<InferParams<Params[Index]>, unknown> };
export function defineTools(definitions: readonly (AnyTool | AnyDefinition)[]): readonly AnyTool[];
export function defineTools(definitions: readonly (AnyTool | AnyDefinition)[]): readonly AnyTool[] {
  const names = new Set<string>();
  return definitions.map((definition) => {
    const tool = "validateInput" in definition ? definition : defineErased(definition);
    if (names.has(tool.name)) throw new TypeError(`${tool.name} is defined twice`);
    names.add(tool.name);
    return tool;
  });
}

const defineErased: (definition: AnyDefinition) => AnyTool = defineTool as never;

function check(definition: AnyDefinition): void {
  checkName(definition?.name, "a tool's name");
  refuseUnknownKeys(withoutDerived(definition), definitionKeys, definition.name);
  checkDefinition(definition);
}

/** `{ ...tool, name: "other" }` also has what `defineTool` made of the first definition; it is made again. */
function withoutDerived(definition: AnyDefinition | AnyTool): object {
  if (!("validateInput" in definition) || !isPlainObject(definition)) return definition;
  const { safety, safetyLevel, inputSchema, outputSchema, validateInput, validateOutput, ...declared } =
    definition as Partial<AnyTool>;
  return declared;
}

function createTool(definition: AnyDefinition, input: CheckedSchema): AnyTool {
  const safety = safetyOf(definition);
  return {
    ...carryFields(definition),
    traits: { ...defaultTraits, ...definition.traits, ...isolatedTrait(definition) },
    aliases: definition.aliases ?? [],
    safety,
    safetyLevel: safetyLevels[safety],
    get inputSchema() {
      return input.json;
    },
    validateInput: input.validate,
  };
}

/** Keeps the name that the tool has in its module: a folder or a copy of the tool may give it another. */
function isolatedTrait({ name, traits }: AnyDefinition): Pick<AnyTool["traits"], "isolated"> {
  return traits?.isolated === undefined ? {} : { isolated: readIsolated(name, traits.isolated) };
}

/** Builds the schema on first use. */
function inputSchemaLater(definition: AnyDefinition): CheckedSchema {
  const make = once(() => createInputSchema(definition));
  return {
    get json() {
      return make().json;
    },
    validate: (value) => make().validate(value),
  };
}

function withOutputSchemaLater(tool: AnyTool, { name, output }: AnyDefinition): AnyTool {
  if (output === undefined) return tool;
  const get = once(() => createOutputSchema(name, output).json);
  return Object.defineProperty(tool, "outputSchema", { get, enumerable: true, configurable: true });
}

function createInputSchema(definition: AnyDefinition): CheckedSchema {
  return atDefinition(definition.name, () => {
    const { json, validate } = createCheckedSchema(inputDeclaration(definition));
    const objectJson = withObjectType(json);
    if (objectJson.type === "object") return { json: objectJson, validate };
    throw new SchemaError(
      'the input must be an object with named parameters, so its schema needs type "object"',
    );
  });
}

/** Adds `type: "object"` at the top if only the members of a union or intersection have it; model vendors require it. */
function withObjectType(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined || !describesObject(schema, schema)) return schema;
  return { type: "object", ...schema };
}

function describesObject(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isPlainObject(schema) || depth > maxDepth) return false;
  if (schema.type !== undefined) return schema.type === "object";
  const isObject = (form: unknown) => describesObject(form, root, depth + 1);
  if (typeof schema.$ref === "string" && isObject(resolvePointer(root, schema.$ref))) return true;
  if (Array.isArray(schema.allOf) && schema.allOf.some(isObject)) return true;
  return [schema.anyOf, schema.oneOf].some((forms) => Array.isArray(forms) && forms.every(isObject));
}

// Only a circular reference goes this deep.
const maxDepth = 20;

function createOutputSchema(name: string, declared: SchemaDeclaration): CheckedSchema {
  return atDefinition(name, () => createCheckedSchema(declared));
}

function inputDeclaration({ input, params }: AnyDefinition): SchemaDeclaration {
  if (input !== undefined && params !== undefined)
    throw new SchemaError("give either input or params, not both");
  if (params !== undefined) return paramsToJsonSchema(params);
  if (input !== undefined) return input;
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

const carriedFields = [
  "name",
  "description",
  "searchHint",
  "prompt",
  "maxOutputCharacters",
  ...functionFields,
] as const;

/** Field by field, because a class's methods are not own properties; they keep their instance as `this`. */
function carryFields(definition: AnyDefinition): Pick<AnyTool, (typeof carriedFields)[number]> {
  const isInstance = !isPlainObject(definition);
  const fields = carriedFields.flatMap((field): [string, unknown][] => {
    const value = definition[field];
    if (value === undefined) return [];
    return [[field, isInstance && typeof value === "function" ? value.bind(definition) : value]];
  });
  return Object.fromEntries(fields) as Pick<AnyTool, (typeof carriedFields)[number]>;
}
