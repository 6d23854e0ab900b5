import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AnyTool, defineTool } from "../../src/tool/index.ts";

const common = { name: "search", description: "Searches.", run: (input: unknown) => input };

const declarations: [string, AnyTool][] = [
  [
    "params",
    defineTool({
      ...common,
      params: {
        query: { type: "string", minLength: 1, description: "What to look for" },
        mode: { type: "string", enum: ["fast", "deep"], default: "fast" },
        limit: { type: "number", minimum: 1, maximum: 100, required: false },
        filters: {
          type: "array",
          description: "All must hold",
          maxItems: 2,
          default: [],
          items: {
            type: "object",
            properties: {
              field: { type: "string", pattern: "^[a-z]+$", description: "Which field" },
              negate: { type: "boolean", default: false },
            },
          },
        },
      },
    }),
  ],
  [
    "JSON Schema",
    defineTool({
      ...common,
      input: {
        type: "object",
        properties: {
          query: { type: "string", minLength: 1, description: "What to look for" },
          mode: { type: "string", enum: ["fast", "deep"], default: "fast" },
          limit: { type: "number", minimum: 1, maximum: 100 },
          filters: {
            type: "array",
            description: "All must hold",
            maxItems: 2,
            default: [],
            items: {
              type: "object",
              properties: {
                field: { type: "string", pattern: "^[a-z]+$", description: "Which field" },
                negate: { type: "boolean", default: false },
              },
              required: ["field", "negate"],
            },
          },
        },
        required: ["query", "mode"],
      },
    }),
  ],
  [
    "Zod",
    defineTool({
      ...common,
      input: z.object({
        query: z.string().min(1).describe("What to look for"),
        mode: z.enum(["fast", "deep"]).default("fast"),
        limit: z.number().min(1).max(100).optional(),
        filters: z
          .array(
            z.object({
              field: z
                .string()
                .regex(/^[a-z]+$/)
                .describe("Which field"),
              negate: z.boolean().default(false),
            }),
          )
          .max(2)
          .default([])
          .describe("All must hold"),
      }),
    }),
  ],
];

test.each(declarations)("%s renders the same schema, with every description and default", (_name, tool) => {
  expect(tool.inputSchema).toEqual({
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "What to look for" },
      mode: { type: "string", enum: ["fast", "deep"], default: "fast" },
      limit: { type: "number", minimum: 1, maximum: 100 },
      filters: {
        type: "array",
        description: "All must hold",
        maxItems: 2,
        default: [],
        items: {
          type: "object",
          properties: {
            field: { type: "string", pattern: "^[a-z]+$", description: "Which field" },
            negate: { type: "boolean", default: false },
          },
          required: ["field"],
          additionalProperties: false,
        },
      },
    },
    required: ["query"],
    additionalProperties: false,
  });
});

describe("the same input gets the same verdict in the same words", () => {
  const accepted: [unknown, unknown][] = [
    [{ query: "x" }, { query: "x", mode: "fast", filters: [] }],
    [
      { query: "x", limit: undefined },
      { query: "x", mode: "fast", filters: [] },
    ],
    [
      { query: "x", mode: "deep", limit: 100, filters: [{ field: "a" }] },
      { query: "x", mode: "deep", limit: 100, filters: [{ field: "a", negate: false }] },
    ],
  ];
  const refused: [unknown, string[]][] = [
    [{}, ["$.query is required but missing"]],
    [{ query: "" }, ['$.query must be at least 1 character long; received ""']],
    [{ query: 5 }, ["$.query must be a string; received 5"]],
    [{ query: "x", limit: 0 }, ["$.limit must be between 1 and 100; received 0"]],
    [{ query: "x", limit: null }, ["$.limit must be a number; received null"]],
    [{ query: "x", mode: "slow" }, ['$.mode must be one of "fast", "deep"; received "slow"']],
    [{ query: "x", other: 1 }, ["$.other is not allowed; expected only query, mode, limit, filters"]],
    [
      { query: "x", filters: [{ field: "A" }] },
      ['$.filters[0].field must be text matching ^[a-z]+$; received "A"'],
    ],
    [
      { query: "x", filters: [{ field: "a", deep: 1 }] },
      ["$.filters[0].deep is not allowed; expected only field, negate"],
    ],
    [
      { query: "x", filters: [{}, {}, {}] },
      [
        "$.filters[0].field is required but missing",
        "$.filters[1].field is required but missing",
        "$.filters[2].field is required but missing",
        "$.filters must be an array of at most 2 items; received an array of 3 items",
      ],
    ],
    [[], ["$ must be an object; received an empty array"]],
    ["x", ['$ must be an object; received "x"']],
    [null, ["$ must be an object; received null"]],
  ];
  for (const [name, tool] of declarations) {
    test.each(accepted)(`${name} accepts %j`, async (input, value) => {
      expect(await tool.validateInput(input)).toEqual({ ok: true, value });
    });
    test.each(refused)(`${name} refuses %j`, async (input, messages) => {
      const validation = await tool.validateInput(input);
      expect(validation.ok ? [] : validation.issues.map((issue) => issue.message)).toEqual(messages);
    });
    test(`${name} never shares a default between calls`, async () => {
      const first = await tool.validateInput({ query: "x" });
      if (first.ok) (first.value as { filters: unknown[] }).filters.push("changed");
      expect(await tool.validateInput({ query: "x" })).toMatchObject({ value: { filters: [] } });
    });
  }
});
