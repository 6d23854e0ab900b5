import { canonicalJson } from "../../json.ts";
import { checkAt, fits, report, type SchemaCheck } from "../inspection.ts";
import { type CreateCheck, limitCount, readCount, readSchemas, type SchemaSite } from "../schema-site.ts";

export const arrayChecks = {
  prefixItems: checkPrefixItems,
  items: checkItems,
  contains: checkContains,
  minItems: limitItems("minItems"),
  maxItems: limitItems("maxItems"),
  uniqueItems: checkUniqueItems,
} satisfies Record<string, CreateCheck>;

function checkPrefixItems(argument: unknown, site: SchemaSite): SchemaCheck {
  const checks = readSchemas(argument, "prefixItems", site);
  return (value, inspection) => {
    if (!Array.isArray(value)) return;
    const count = Math.min(checks.length, value.length);
    for (let index = 0; index < count; index++) checkAt(index, value[index], checks[index]!, inspection);
  };
}

function checkItems(items: unknown, { schema, at, compile }: SchemaSite): SchemaCheck {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
  const check = compile(items, `${at}/items`);
  return (value, inspection) => {
    if (!Array.isArray(value)) return;
    for (let index = first; index < value.length; index++) checkAt(index, value[index], check, inspection);
  };
}

function checkContains(contained: unknown, { schema, at, compile }: SchemaSite): SchemaCheck {
  const check = compile(contained, `${at}/contains`);
  const minimum = schema.minContains === undefined ? 1 : readCount(schema.minContains, `${at}/minContains`);
  const maximum =
    schema.maxContains === undefined
      ? Number.POSITIVE_INFINITY
      : readCount(schema.maxContains, `${at}/maxContains`);
  const most = maximum === Number.POSITIVE_INFINITY ? "" : ` and at most ${maximum}`;
  const items = minimum === 1 && most === "" ? "item" : "items";
  return (value, inspection) => {
    if (!Array.isArray(value)) return;
    const count = value.filter((item) => fits(check, item, inspection)).length;
    if (count < minimum || count > maximum) {
      report(inspection, `an array with at least ${minimum}${most} matching ${items}`, value);
    }
  };
}

function limitItems(keyword: string): CreateCheck {
  const count = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
  return limitCount(keyword, count, (limit, isOne) => `an array of ${limit} ${isOne ? "item" : "items"}`);
}

function checkUniqueItems(unique: unknown): SchemaCheck | undefined {
  if (unique !== true) return undefined;
  return (value, inspection) => {
    if (Array.isArray(value) && new Set(value.map(canonicalJson)).size !== value.length) {
      report(inspection, "an array without repeated items", value);
    }
  };
}
