import { resolve } from "node:path";
import type { JsonSchema } from "../json-schema/json-schema.ts";
import { defined } from "./defined.ts";
import { listOfShape, mapOf, type ObjectShape, type Shape, value } from "./known-keys.ts";

/** An option of a runtime, declared once: its keys, its check, and how a configuration file gives it. */
export interface RuntimeOption<Value, InFile = Value> {
  /** The keys that the option may have, at every depth. */
  readonly keys: Shape;
  /** Throws a TypeError for a value that would fail later, or silently do nothing. */
  check?(given: Value): void;
  /** Absent if only code can give the option. */
  readonly file?: FileOption<InFile>;
  /** The schema of what code gives, as far as it is JSON. Default: that of a file. */
  readonly codeSchema?: JsonSchema;
}

interface FileOption<Value> {
  /** Editors complete and check the file by it; its description is in docs/options.md. */
  readonly schema: JsonSchema;
  readonly keys: Shape;
  /** Shown in a new file as a comment. */
  readonly example?: Value;
  /** Set in a new file from the start. */
  readonly initial?: Value;
  /** Makes paths independent of the current folder: in a file, they are relative to the file. */
  resolve?(given: Value, folder: string): Value;
}

interface OptionDeclaration<Value, InFile> extends Omit<FileOption<InFile>, "keys"> {
  /** Default: the keys of the schema, and `codeKeys`. */
  readonly keys?: Shape;
  /** Further keys that only code can give, such as functions. */
  readonly codeKeys?: Readonly<Record<string, Shape>>;
  /** The keys of a file, if it takes fewer than code. */
  readonly fileKeys?: Shape;
  /** The schema of what code gives, if that is more than a file can give. */
  readonly codeSchema?: JsonSchema;
  check?(given: Value): void;
}

/** An option that code and configuration files can give. */
export function option<Value, InFile = Value>({
  keys: given,
  codeKeys,
  fileKeys,
  codeSchema,
  check,
  ...file
}: OptionDeclaration<Value, InFile>): RuntimeOption<Value, InFile> {
  const inFile = given ?? keysOf(file.schema);
  const keys = inFile.kind === "object" ? { ...inFile, keys: { ...inFile.keys, ...codeKeys } } : inFile;
  return { keys, file: { ...file, keys: fileKeys ?? inFile }, ...defined({ check, codeSchema }) };
}

/** An option that only code can give, such as a function. */
export function inCode<Value>(
  keys: Shape = value,
  { check, codeSchema }: Pick<RuntimeOption<Value>, "check" | "codeSchema"> = {},
): RuntimeOption<Value, never> {
  return { keys, ...defined({ check, codeSchema }) };
}

/** A table of options that has exactly those of an interface, with their types. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: RuntimeOption<Exclude<Options[Name], undefined>, unknown>;
};

/** The options that a configuration file may give. */
export type FileOptionsOf<Table> = Table extends unknown
  ? {
      readonly [Name in keyof Table & string as IsInFile<Table[Name]> extends true ? Name : never]?: InFileOf<
        Table[Name]
      >;
    }
  : never;

type InFileOf<Given> = Given extends RuntimeOption<infer _Value, infer InFile> ? InFile : never;
type IsInFile<Given> = [InFileOf<Given>] extends [never] ? false : true;

/** The properties of an object's schema. TypeScript refuses a list that lacks one of the type's keys, or has another. */
export function propertiesOf<Options>(
  properties: { readonly [Key in keyof Options]-?: JsonSchema },
): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>;
}

/** The keys that a schema lists, at every depth. */
function keysOf({ type, properties, additionalProperties, items, anyOf }: JsonSchema): Shape {
  if (Array.isArray(anyOf)) {
    const inner = (anyOf as readonly JsonSchema[]).map(keysOf).find(({ kind }) => kind === "object");
    return inner === undefined ? value : ({ ...inner, orValue: true } as Shape);
  }
  if (type === "array" && typeof items === "object") {
    const inner = keysOf(items);
    return inner.kind === "value" ? value : listOfShape(inner);
  }
  if (properties !== undefined) return keysOfProperties(properties as Readonly<Record<string, JsonSchema>>);
  return typeof additionalProperties === "object" ? mapOf(keysOf(additionalProperties)) : value;
}

export function keysOfProperties(properties: Readonly<Record<string, JsonSchema>>): ObjectShape {
  return { kind: "object", keys: mapValues(properties, keysOf), orValue: false };
}

const text: JsonSchema = { type: "string", minLength: 1 };

/** Schemas that many options have. */
export const kinds = {
  text,
  texts: { type: "array", items: text },
  /** A program and its arguments. */
  argv: { type: "array", items: { type: "string" }, minItems: 1 },
  limit: { type: "number", minimum: 0 },
  count: { type: "integer", minimum: 0 },
  positive: { type: "number", exclusiveMinimum: 0 },
  flag: { type: "boolean" },
  /** Checked when the runtime opens, like the same option given in code. */
  checkedLater: { type: "object", additionalProperties: true },
} as const satisfies Record<string, JsonSchema>;

/** An option that is one of some words. */
export function choice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): NonNullable<RuntimeOption<Choice>["check"]> {
  return (given) => checkChoice(name, given, choices);
}

export function checkChoice(name: string, given: string, choices: readonly string[]): void {
  if (choices.includes(given)) return;
  throw new TypeError(`${name} must be one of ${choices.join(", ")}; received ${JSON.stringify(given)}`);
}

/** Makes a program that is named by a path absolute; one without a slash is looked up in the PATH. */
export function resolveProgram([program = "", ...args]: readonly string[], folder: string): string[] {
  return [program.includes("/") ? resolve(folder, program) : program, ...args];
}

/** Changes each value of an object, and keeps its keys. */
export function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, change(each)]));
}
