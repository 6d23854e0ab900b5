import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import { canonicalWording } from "../../src/tool/wording.ts";
import { forgedIn, hidesIn, hostileText } from "../support/foreign-text.ts";

const tools = builtinTools.map((tool) => [tool.name, tool] as const);

/** Texts that are somebody else's from end to end. */
const whole: Readonly<Record<string, string>> = {
  shell_run: "what a program prints, as a terminal shows it; how it ended comes last",
  shell_output: "what a program prints; how it ended comes last",
  user_ask: "the person's answer",
};

/** Texts that show what is really in a file or a list, with a number or a blank before each line of it. */
const contents: Readonly<Record<string, string>> = {
  file_read: "lines of a file, each with its number",
  task_list: "descriptions, indented",
  todo_read: "descriptions, indented",
};

/** Fields that strangers do not write, or that cannot hold a line break. */
const ownFields: Readonly<Record<string, string>> = {
  id: "ours",
  sessionId: "ours",
  version: "ours",
  hash: "ours",
  reason: "ours",
  change: "ours",
  formatter: "ours",
  matchedBy: "ours",
  mediaType: "ours, by the first bytes",
  base: "a commit",
  branch: "checked when it is made",
  diff: "has a mark before each line",
  keptAt: "a time",
  createdAt: "a time",
  updatedAt: "a time",
  startedAt: "a time",
  endedAt: "a time",
  fetchedAt: "a time",
  mtime: "a time",
  url: "an address, which has neither blanks nor line breaks",
  redirect: "an address",
  pattern: "the caller's",
  glob: "the caller's",
  type: "the caller's, or ours",
};

const ownFieldsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agent_run: { title: "one line, made when it is spawned" },
  code_analyze: { kind: "ours", why: "ours" },
  search_grep: { text: "one line of a file, after its place" },
  skill_learn: { name: "a plain name" },
  system_env: { unset: "the caller's", withheld: "the caller's", notListed: "the caller's" },
  system_info: {
    platform: "the machine's",
    release: "the machine's",
    arch: "the machine's",
    node: "the machine's",
    shell: "the machine's",
    workspace: "where the user works",
    kind: "ours",
    programs: "one line of each program",
  },
  task_create: { blockedBy: "ids of ours" },
  task_list: { blockedBy: "ids of ours" },
  task_update: { blockedBy: "ids of ours" },
  tool_create: { name: "a plain name" },
  tool_search: { name: "a plain name", nearest: "plain names", description: "one line", query: "one line" },
  // The first line of an answer is to be the page's title.
  web_fetch: { title: "one line" },
};

test.each(tools.filter(([name]) => !(name in whole)))(
  "no text in the output of %s passes for a line of ours, nor for the user",
  (name, { outputSchema, toText }) => {
    const texts = valuesOf(name, outputSchema!).map((output) => toText!(output as never, canonicalWording));
    expect(texts.flatMap(forgedIn)).toEqual([]);
    if (!(name in contents)) expect(texts.flatMap(hidesIn)).toEqual([]);
  },
);

test("the tools and fields that are exempt from the check of foreign text exist", () => {
  const named = [...Object.keys(whole), ...Object.keys(contents), ...Object.keys(ownFieldsOf)];
  expect(named.filter((name) => !tools.some(([each]) => each === name))).toEqual([]);
});

/** Values that a schema allows, with hostile text in every field that may hold it. */
function valuesOf(tool: string, schema: JsonSchema): unknown[] {
  return [0, 1, 2, 3]
    .flatMap((choice) => formsOf(schema).map((form) => makeValue(form, { tool, choice })))
    .filter((value) => !isPartsOfOwn(value));
}

/** These have a text of their own beside the output. */
function isPartsOfOwn(value: unknown): boolean {
  const { kind } = value as { kind?: unknown };
  return kind === "image" || kind === "notebook";
}

interface SchemaFields {
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: unknown;
}

function formsOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf, ...rest } = schema as SchemaFields;
  return anyOf === undefined
    ? [schema]
    : anyOf.flatMap((form) => formsOf({ ...rest, ...form } as JsonSchema));
}

function makeValue(
  schema: JsonSchema,
  at: { readonly tool: string; readonly choice: number; readonly field?: string },
): unknown {
  const { tool, choice, field = "" } = at;
  const forms = formsOf(schema);
  const form = forms[choice % forms.length] as SchemaFields;
  if (form.const !== undefined) return form.const;
  if (form.enum !== undefined) return form.enum[choice % form.enum.length];
  switch (Array.isArray(form.type) ? form.type[0] : form.type) {
    case "integer":
    case "number":
      return choice;
    case "boolean":
      return choice % 2 === 0;
    case "array": {
      const item = makeValue(form.items ?? {}, at);
      return [item, item];
    }
    case "object": {
      const { properties = {}, additionalProperties: more } = form;
      const entries = Object.entries(properties).map(
        ([name, inner]) => [name, makeValue(inner, { ...at, field: name })] as const,
      );
      const added = typeof more === "object" ? { NAME: makeValue(more as JsonSchema, at) } : {};
      return { ...Object.fromEntries(entries), ...added };
    }
    default: {
      const isOwn = field in ownFields || field in (ownFieldsOf[tool] ?? {});
      return isOwn ? "own" : hostileText;
    }
  }
}
