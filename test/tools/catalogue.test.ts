import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { Dialect } from "../../src/kernel/dialects/dialect.ts";
import { dialects } from "../../src/kernel/dialects/dialects.ts";
import {
  createCanonicalForm,
  createDialectForm,
  type ToolForm,
} from "../../src/kernel/dialects/tool-form.ts";
import type { RegisteredTool } from "../../src/kernel/registry/registry.ts";
import { createDeferral } from "../../src/kernel/tool-search/deferral.ts";
import { isPlainObject } from "../../src/shared/json.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";

// Where a change is meant: `npx vitest run test/tools/catalogue.test.ts -u`, and look at what it changed.
test("the built-in tools are, in their own terms and in those of every dialect, what catalogue.txt says", async () => {
  const parts = [describeDeferral(), ...dialects.map(describeDialect), ...builtinTools.map(describeTool)];
  await expect(`${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`).toMatchFileSnapshot(
    "catalogue.txt",
  );
});

test("K39: of the built-in tools, only those that change nothing are made again after a crash", () => {
  const repeated = builtinTools.filter(({ traits }) => traits.idempotent);
  expect(repeated.length).toBeGreaterThan(5);
  expect(repeated.filter(({ traits }) => !traits.readOnly).map(({ name }) => name)).toEqual([]);
});

const renaming = dialects.filter(({ tools }) => Object.keys(tools).length > 0);

function describeDeferral(): string[] {
  const deferral = createDeferral({}, new Set());
  const some = Array.from({ length: 100 }, () => ({}) as RegisteredTool);
  const firstOver = some.findIndex((_, count) => deferral.isOver(some.slice(0, count)));
  return [`Tools are kept back where there are ${firstOver} or more.`];
}

function describeDialect({ name, tools, ...rest }: Dialect): string[] {
  const offers = builtinTools.map((tool) => tools[tool.name]?.name ?? tool.name).join(" ");
  return [`dialect ${name}`, ...fields({ ...rest, tools: Object.keys(tools).length, offers })];
}

/** Everything but the sentences: these are wording, and whoever changes one has read it. */
function describeTool(tool: AnyTool): string[] {
  const { traits, aliases, safety, safetyLevel, searchHint, maxOutputCharacters } = tool;
  const { timeoutMs, ...otherTraits } = traits;
  const functions = ["prompt", "permission", "dryRun", "undo", "toText"] as const;
  const data = {
    aliases,
    searchHint,
    safety,
    safetyLevel,
    ...otherTraits,
    timeoutMs: timeoutsOf(timeoutMs),
    maxOutputCharacters,
    has: functions.filter((field) => tool[field] !== undefined),
  };
  const canonical = describeForm(createCanonicalForm(tool));
  return [
    tool.name,
    ...fields(data),
    ...indent(canonical),
    ...renaming.flatMap((dialect) => indent(describeInDialect(tool, dialect, canonical))),
  ];
}

/** One that depends on the input is tried with those that it may depend on. */
function timeoutsOf(timeoutMs: AnyTool["traits"]["timeoutMs"]): unknown {
  if (typeof timeoutMs !== "function") return timeoutMs;
  const inputs = [{}, { timeout: 0 }, { timeout: 1 }, { run_in_background: true }];
  return Object.fromEntries(
    inputs.map((input) => [JSON.stringify(input), timeoutMs(input) ?? "the runtime's"]),
  );
}

/** What a dialect says otherwise. */
function describeInDialect(tool: AnyTool, dialect: Dialect, canonical: readonly string[]): string[] {
  const row = dialect.tools[tool.name];
  if (row === undefined) return [`${dialect.name}: as it is`];
  const { name, aliases, output, result } = row;
  const form = describeForm(createDialectForm(tool, row, dialect));
  return [
    `${dialect.name}: ${name}`,
    ...fields({ aliases, output, result }),
    ...indent(form.filter((line) => !canonical.includes(line))),
    ...indent(canonical.filter((line) => !form.includes(line)).map((line) => `not ${line}`)),
  ];
}

function describeForm({ inputSchema, outputSchema, annotations }: ToolForm): string[] {
  const { properties = {}, ...input } = withoutSentences(inputSchema) as Record<string, unknown>;
  return [
    `annotations: ${JSON.stringify(annotations)}`,
    `input: ${JSON.stringify(input)}`,
    ...Object.entries(properties as object).map(
      ([name, schema]) => `input.${name}: ${JSON.stringify(schema)}`,
    ),
    `output: ${JSON.stringify(withoutSentences(outputSchema)) ?? "anything"}`,
  ];
}

/** A parameter may itself be called `description`; its schema is no sentence. */
function withoutSentences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSentences);
  if (!isPlainObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => keyword !== "description" || typeof value !== "string")
      .map(([keyword, value]) => [keyword, withoutSentences(value)]),
  );
}

function fields(values: Readonly<Record<string, unknown>>): string[] {
  return indent(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`),
  );
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
