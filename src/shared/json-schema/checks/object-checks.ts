import { isPlainObject } from "../../json.ts";
import { nearestNames } from "../../text/nearest-names.ts";
import { cloneJson } from "../clone-json.ts";
import { describeList } from "../describe-value.ts";
import { checkAt, type Inspection, reportInWords, type SchemaCheck } from "../inspection.ts";
import type { JsonSchema, JsonType } from "../json-schema.ts";
import {
  type CreateCheck,
  compilePattern,
  isJsonObject,
  limitCount,
  readNames,
  readObjectEntries,
  readSchemaMap,
  type SchemaSite,
  typeNames,
} from "../schema-site.ts";

export const objectChecks = {
  required: checkRequired,
  properties: checkProperties,
  patternProperties: checkPatternProperties,
  additionalProperties: checkAdditionalProperties,
  propertyNames: checkPropertyNames,
  minProperties: limitProperties("minProperties"),
  maxProperties: limitProperties("maxProperties"),
  dependentRequired: checkDependentRequired,
  dependentSchemas: checkDependentSchemas,
} satisfies Record<string, CreateCheck>;

function checkRequired(argument: unknown, { at, schema }: SchemaSite): SchemaCheck {
  const required = readNames(argument, `${at}/required`);
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue;
      const expected = describeExpected(schema, name);
      reportMissing(name, inspection, { wording: "is required but missing", expected });
    }
  };
}

function reportMissing(
  name: string,
  inspection: Inspection,
  { wording, expected }: { wording: string; expected: string },
): void {
  checkAt(
    name,
    undefined,
    () => reportInWords(inspection, () => wording, { expected, value: undefined }),
    inspection,
  );
}

function describeExpected({ properties }: JsonSchema, name: string): string {
  const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (typeof schema !== "object" || typeof schema.type !== "string") return "a value";
  return typeNames[schema.type as JsonType] ?? "a value";
}

function checkProperties(argument: unknown, site: SchemaSite): SchemaCheck {
  const properties = readSchemaMap(argument, "properties", site).map(({ name, schema, check }) => ({
    name,
    check,
    default: isPlainObject(schema) ? schema.default : undefined,
  }));
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const property of properties) {
      if (!Object.hasOwn(value, property.name)) {
        if (property.default === undefined || !inspection.fillsDefaults) continue;
        // Copied, so that what one call does to its default never reaches the next.
        value[property.name] = cloneJson(property.default);
      }
      checkAt(property.name, value[property.name], property.check, inspection);
    }
  };
}

function checkPatternProperties(argument: unknown, site: SchemaSite): SchemaCheck {
  const patterns = readSchemaMap(argument, "patternProperties", site).map(({ name, check }) => ({
    expression: compilePattern(name, `${site.at}/patternProperties`),
    check,
  }));
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      for (const { expression, check } of patterns) {
        if (expression.test(key)) checkAt(key, value[key], check, inspection);
      }
    }
  };
}

function checkAdditionalProperties(additional: unknown, site: SchemaSite): SchemaCheck | undefined {
  if (additional === true) return undefined;
  const isKnown = createKnownKeys(site);
  const check =
    additional === false
      ? refuseUnknown(Object.keys(site.schema.properties ?? {}))
      : site.compile(additional, `${site.at}/additionalProperties`);
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      if (!isKnown(key)) checkAt(key, value[key], check, inspection);
    }
  };
}

function createKnownKeys({ schema, at }: SchemaSite): (key: string) => boolean {
  const names = new Set(Object.keys(schema.properties ?? {}));
  const patterns = Object.keys(schema.patternProperties ?? {}).map((pattern) =>
    compilePattern(pattern, `${at}/patternProperties`),
  );
  if (patterns.length === 0) return (key) => names.has(key);
  return (key) => names.has(key) || patterns.some((pattern) => pattern.test(key));
}

function refuseUnknown(known: readonly string[]): SchemaCheck {
  const expected = known.length === 0 ? "no parameters" : `only ${describeList(known)}`;
  return (value, inspection) => {
    const wording = () => `is not allowed${suggestKnown(inspection, known)}; expected ${expected}`;
    reportInWords(inspection, wording, { expected, value });
  };
}

function suggestKnown({ path }: Inspection, known: readonly string[]): string {
  const [nearest] = nearestNames(String(path.at(-1)), known, 1);
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

function checkPropertyNames(names: unknown, { at, compile }: SchemaSite): SchemaCheck {
  const check = compile(names, `${at}/propertyNames`);
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) checkAt(key, key, check, inspection);
  };
}

function limitProperties(keyword: string): CreateCheck {
  const count = (value: unknown) => (isJsonObject(value) ? Object.keys(value).length : undefined);
  return limitCount(
    keyword,
    count,
    (limit, isOne) => `an object with ${limit} ${isOne ? "property" : "properties"}`,
  );
}

function checkDependentRequired(argument: unknown, { at }: SchemaSite): SchemaCheck {
  const place = `${at}/dependentRequired`;
  const dependencies = readObjectEntries(argument, place, "lists").map(([name, names]) => ({
    name,
    required: readNames(names, `${place}/${name}`),
  }));
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const { name, required } of dependencies) {
      if (!Object.hasOwn(value, name)) continue;
      for (const needed of required) {
        if (Object.hasOwn(value, needed)) continue;
        reportMissing(needed, inspection, {
          wording: `is required when ${name} is given`,
          expected: "a value",
        });
      }
    }
  };
}

function checkDependentSchemas(argument: unknown, site: SchemaSite): SchemaCheck {
  const dependencies = readSchemaMap(argument, "dependentSchemas", site);
  return (value, inspection) => {
    if (!isJsonObject(value)) return;
    for (const { name, check } of dependencies) if (Object.hasOwn(value, name)) check(value, inspection);
  };
}
