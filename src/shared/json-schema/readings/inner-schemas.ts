import { isPlainObject } from "../../json.ts";
import { countStep } from "../inspection.ts";
import type { JsonSchema } from "../json-schema.ts";
import { resolvePointer } from "../resolve-pointer.ts";
import { compilePattern } from "../schema-site.ts";
import { allTypes, possibleTypes, type TypeSet } from "./possible-types.ts";

type Schema = JsonSchema | boolean;

export type InnerSchemas = ReturnType<typeof createInnerSchemas>;

/**
 * Finds the statements of a schema about the parts of a value: all of its forms joined, but for those that the value's
 * tags rule out.
 */
export function createInnerSchemas(root: JsonSchema) {
  const known = new Map<unknown, TypeSet>();
  const counter = { steps: 0 };
  const follow = ({ $ref }: JsonSchema): unknown => resolvePointer(root, $ref as string);

  const typesOf = (schema: unknown): TypeSet => {
    countStep(counter, maxSteps);
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Entered first, so that a schema that refers to itself for the same value may be anything.
    known.set(schema, allTypes);
    const types = possibleTypes(isPlainObject(schema) ? schema : schema !== false, { typesOf, follow });
    known.set(schema, types);
    return types;
  };

  /** The schema of a part, where `partOf` gives what one form says about it. */
  const inside = (schema: unknown, value: object, partOf: (form: JsonSchema) => Schema[]): Schema => {
    countStep(counter, maxSteps);
    if (!isPlainObject(schema)) return schema !== false;
    const form: JsonSchema = schema;
    const insideForm = (each: unknown) => inside(each, value, partOf);
    const parts = partOf(form);
    if (typeof form.$ref === "string") parts.push(insideForm(follow(form)));
    if (Array.isArray(form.allOf)) parts.push(...form.allOf.map(insideForm));
    for (const forms of [form.anyOf, form.oneOf]) {
      if (!Array.isArray(forms)) continue;
      const meant = forms.filter((each) => isMeant(each, value, follow));
      parts.push({ anyOf: (meant.length > 0 ? meant : forms).map(insideForm) });
    }
    const [only = true, ...others] = parts.filter((part) => part !== true);
    return others.length === 0 ? only : { allOf: parts };
  };

  return {
    typesOf,
    item: (schema: Schema, index: number, list: readonly unknown[]): Schema =>
      inside(schema, list, ({ prefixItems, items }) => {
        const own = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
        return own === undefined ? [] : [own as Schema];
      }),
    property: (schema: Schema, name: string, object: Record<string, unknown>) => {
      /** Whether the schema names the property, rather than taking it as any other key. */
      let isDeclared = false;
      let isRequired = false;
      const joined = inside(schema, object, (form) => {
        const { properties, required, additionalProperties } = form;
        if (Array.isArray(required) && required.includes(name)) isRequired = true;
        const own = patternSchemas(form, name);
        if (isPlainObject(properties) && Object.hasOwn(properties, name)) {
          isDeclared = true;
          own.push(properties[name] as Schema);
        }
        return own.length === 0 && additionalProperties !== undefined ? [additionalProperties] : own;
      });
      return { schema: joined, isDeclared, isRequired };
    },
  };
}

// Forms within forms multiply; no honest schema comes near this.
const maxSteps = 200_000;

/** Forms of an object differ in a property with a constant value. */
function isMeant(schema: unknown, value: object, follow: (schema: JsonSchema) => unknown): boolean {
  const form = isPlainObject(schema) && typeof schema.$ref === "string" ? follow(schema) : schema;
  const properties = isPlainObject(form) && isPlainObject(form.properties) ? form.properties : {};
  return Object.entries(properties).every(([name, property]) => {
    if (!isPlainObject(property) || !Object.hasOwn(property, "const")) return true;
    return Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] === property.const;
  });
}

function patternSchemas({ patternProperties }: JsonSchema, name: string): Schema[] {
  if (!isPlainObject(patternProperties)) return [];
  return Object.entries(patternProperties).flatMap(([pattern, schema]) =>
    compilePattern(pattern, "patternProperties").test(name) ? [schema as Schema] : [],
  );
}
