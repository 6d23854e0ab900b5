import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { defineTool, errorCodes, type JsonSchema, type Session } from "../../../src/index.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, claimWrite, echo } from "../../support/sample-tools.ts";

const runs = fuzzRuns({ sample: 150, full: 100_000 });

/** One tool for each way of declaring an input, with most of what schemas can say. */
const schemaTools = [
  defineTool({
    name: "by_zod",
    description: "Declared with Zod.",
    input: z.object({
      kind: z.discriminatedUnion("type", [
        z.object({ type: z.literal("a"), list: z.array(z.number()).max(3) }),
        z.object({ type: z.literal("b"), map: z.record(z.string(), z.boolean()) }),
      ]),
      when: z
        .string()
        .regex(/^\d{4}/)
        .optional(),
      size: z.int().min(0).max(9).default(3),
    }),
    traits: { readOnly: true },
    run: (input) => input,
  }),
  defineTool({
    name: "by_json_schema",
    description: "Declared with JSON Schema.",
    input: {
      type: "object",
      properties: {
        name: { type: "string", pattern: "^[a-z]+$", minLength: 2, maxLength: 5 },
        node: { $ref: "#/$defs/node" },
        any: {
          anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" }, uniqueItems: true }],
        },
      },
      required: ["name"],
      $defs: {
        node: {
          type: "object",
          properties: { next: { $ref: "#/$defs/node" }, value: { enum: [1, "x", null] } },
        },
      },
    },
    traits: { readOnly: true },
    run: (input) => input,
  }),
  defineTool({
    name: "by_params",
    description: "Declared with the shorthand.",
    params: {
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "integer" }, tag: { type: "string", required: false } },
        },
      },
      flag: { type: "boolean", default: true },
    },
    traits: { readOnly: true, concurrencySafe: true },
    run: (input) => input,
  }),
];

test(`${runs} random inputs over every tool in every dialect always end in a typed outcome`, {
  timeout: 600_000,
}, async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  onTestFinished(() => void process.off("unhandledRejection", onRejection));

  for (const { name: dialect } of dialects) {
    const { session, workspace } = await openTestSession({
      dialect,
      permissions: { mode: "readonly" },
      tools: [echo, act, claimWrite, ...schemaTools],
    });
    await fillWorkspace(workspace);
    const calls = fc.oneof(
      ...catalogue(session).map(({ name, inputSchema }) => callOf(name, inputSchema, workspace)),
    );
    await fc.assert(
      fc.asyncProperty(calls, async ({ name, input }) => {
        const result = await session.call(name, input, { timeoutMs: 10_000 });
        expect(["done", "failed", "denied"]).toContain(result.status);
        if (result.status !== "done") expect(errorCodes).toContain(result.error?.code);
        expect(result.error?.code).not.toBe("tool-failed");
        expect(result.receipt.hash).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: runs / 2 },
    );
  }
  expect(rejections).toEqual([]);
});

async function fillWorkspace(workspace: string): Promise<void> {
  await mkdir(join(workspace, "a/b"), { recursive: true });
  await writeFile(join(workspace, "a/text.txt"), "one\ntwo\n");
  await writeFile(join(workspace, "binary"), Buffer.from([0, 1, 2]));
  await symlink("/", join(workspace, "a/out"));
  await symlink("loop", join(workspace, "loop"));
}

/** Every name a tool answers to here: the dialect's, and the canonical one. */
function catalogue(session: Session): { name: string; inputSchema: JsonSchema }[] {
  return session.tools();
}

function callOf(
  name: string,
  schema: JsonSchema,
  workspace: string,
): fc.Arbitrary<{ name: string; input: unknown }> {
  const properties = Object.entries(schema.properties ?? {});
  const shaped = fc.record(
    Object.fromEntries(properties.map(([key, property]) => [key, valueFor(property, workspace)])),
    { requiredKeys: [] },
  );
  const input = fc.oneof({ weight: 4, arbitrary: shaped }, { weight: 1, arbitrary: fc.jsonValue() });
  return fc.record({
    name: fc.oneof({ weight: 30, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.string() }),
    input,
  });
}

function valueFor(schema: JsonSchema | boolean, workspace: string): fc.Arbitrary<unknown> {
  const type = typeof schema === "object" ? schema.type : undefined;
  const paths = [
    "",
    ".",
    "a",
    "a/text.txt",
    "a/out/etc/passwd",
    "loop",
    "binary",
    "../x",
    "a\0b",
    `${workspace}/a/text.txt`,
    "/etc/passwd",
  ];
  const fitting: Partial<Record<string, fc.Arbitrary<unknown>>> = {
    string: fc.oneof(fc.constantFrom(...paths), fc.string({ unit: "binary" })),
    integer: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.maxSafeInteger()),
    number: fc.double(),
    boolean: fc.boolean(),
    array: fc.array(fc.jsonValue(), { maxLength: 4 }),
  };
  const fit = typeof type === "string" ? fitting[type] : undefined;
  return fit === undefined
    ? fc.jsonValue()
    : fc.oneof({ weight: 5, arbitrary: fit }, { weight: 1, arbitrary: fc.jsonValue() });
}
