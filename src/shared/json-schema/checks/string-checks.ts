import { type Inspection, report, type SchemaCheck } from "../inspection.ts";
import { type CreateCheck, readCount, type SchemaSite } from "../schema-site.ts";
import { compilePattern } from "./compile-pattern.ts";

export const stringChecks = {
  minLength: onLength("minLength", {
    holds: (length, limit) => length >= limit,
    wording: (limit) => `at least ${countCharacters(limit)} long`,
  }),
  maxLength: onLength("maxLength", {
    holds: (length, limit) => length <= limit,
    wording: (limit) => `at most ${countCharacters(limit)} long`,
  }),
  pattern: checkPattern,
} satisfies Record<string, CreateCheck>;

interface LengthRule {
  holds(length: number, limit: number): boolean;
  wording(limit: number): string;
}

function onLength(keyword: string, { holds, wording }: LengthRule): CreateCheck {
  return (argument, { at }) => {
    const limit = readCount(argument, `${at}/${keyword}`);
    return (value, inspection) => {
      if (typeof value !== "string") return;
      // The standard counts characters: they are at most as many as UTF-16 units and at least half of them.
      if (holds(value.length, limit) && holds(value.length / 2, limit)) return;
      let length = 0;
      for (const _character of value) length++;
      if (!holds(length, limit)) report(inspection, wording(limit), value);
    };
  };
}

function countCharacters(limit: number): string {
  return limit === 1 ? "1 character" : `${limit} characters`;
}

function checkPattern(pattern: unknown, { at }: SchemaSite): SchemaCheck {
  const expression = compilePattern(pattern, `${at}/pattern`);
  return (value: unknown, inspection: Inspection) => {
    if (typeof value === "string" && !expression.test(value)) {
      report(inspection, `text matching ${pattern}`, value);
    }
  };
}
