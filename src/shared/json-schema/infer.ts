/** The TypeScript type of the values that a literally written JSON Schema describes. */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : Schema extends { readonly type: infer Type }
      ? Type extends readonly (infer Each)[]
        ? InferType<Schema, Each>
        : InferType<Schema, Type>
      : unknown;

export type InferType<Schema, Type> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? InferArray<Schema>
          : Type extends "object"
            ? InferObject<Schema>
            : unknown;

export type InferArray<Schema> = Schema extends { readonly items: infer Items }
  ? InferJsonSchema<Items>[]
  : unknown[];

export type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      {
        -readonly [Key in keyof Properties as IsPresent<Schema, Properties, Key> extends true
          ? Key
          : never]: InferJsonSchema<Properties[Key]>;
      } & {
        -readonly [Key in keyof Properties as IsPresent<Schema, Properties, Key> extends true
          ? never
          : Key]?: InferJsonSchema<Properties[Key]>;
      }
    >
  : Record<string, unknown>;

export type IsPresent<Schema, Properties, Key extends keyof Properties> = Properties[Key] extends {
  readonly default: unknown;
}
  ? true
  : Schema extends { readonly required: readonly (infer Required)[] }
    ? Key extends Required
      ? true
      : false
    : false;

export type Simplify<Type> = { [Key in keyof Type]: Type[Key] } & {};
