import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import type { CallResult, Session } from "../../../src/index.ts";
import type { Dialect } from "../../../src/kernel/dialects/dialect.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import { openFileSession } from "../../support/open-file-session.ts";

// What JSON makes longer: quotation marks, backslashes, control characters, many short lines.
const hard = `${'"\\"\t\u0001\n'.repeat(400)}${"x\n".repeat(400)}`;
const token = `ghp_${"a1B2".repeat(9)}`;

const files = {
  "hard.txt": hard,
  "secret.txt": `token = ${token}\n`,
  "long.txt": `${'"'.repeat(9000)}\n`,
  ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`many/file-${index}.txt`, "needle\n"])),
  ".skills/greet/SKILL.md": `---\nname: greet\ndescription: How to greet.\n---\n${hard}`,
};

/** A call of every tool that the dialect names, with a number as text where the tool takes one, and some that fail. */
const calls: Readonly<Record<string, readonly object[]>> = {
  file_read: [
    { path: "hard.txt" },
    { path: "hard.txt", offset: "3", limit: "200" },
    { path: "long.txt" },
    { path: "secret.txt", limit: "2" },
    { path: "none.txt", limit: "2" },
  ],
  file_write: [{ path: "new.txt", content: hard }],
  file_edit: [
    { path: "new.txt", old_string: "x", new_string: '"', replace_all: "true" },
    { path: "new.txt", old_string: hard, new_string: "" },
  ],
  file_multi_edit: [
    {
      edits: Array.from({ length: 40 }, (_, index) => ({
        path: `many/file-${index}.txt`,
        find: "needle",
        replace: "pin",
      })),
    },
    { edits: JSON.stringify([{ path: "none.txt", find: "a", replace: "b" }]) },
  ],
  search_glob: [{ pattern: "many/*.txt" }, { pattern: "*.none" }],
  search_grep: [
    { pattern: "needle", regex: "true" },
    { pattern: '"', path: "hard.txt", max_results: "300" },
    { pattern: "(", regex: true },
  ],
  shell_run: [
    { cmd: "cat hard.txt; cat hard.txt >&2" },
    { cmd: "cat hard.txt; exit 3", timeout_ms: "5000" },
    { cmd: "true", background: "true" },
  ],
  shell_output: [{}],
  shell_kill: [{ shell_id: "none" }],
  agent_run: [{ prompt: "go", description: "go" }],
  skill_load: [
    { action: "load", skill_name: "greet" },
    { action: "load", skill_name: "none" },
  ],
  todo_write: [
    { todos: JSON.stringify([{ title: "first" }]) },
    {
      todos: Array.from({ length: 40 }, (_, index) => ({
        title: `${index} "quoted"`,
        notes: "\\".repeat(60),
      })),
    },
  ],
  todo_read: [{}],
};

test.each(dialects.filter(({ text }) => text === "json"))(
  "in the dialect $name every text is JSON, however long it is and whatever is noted in it",
  async (dialect) => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(dialect.tools).sort());
    const maxCharacters = 1500;
    const { session } = await openFileSession(files, {
      dialect: dialect.name,
      output: { maxCharacters },
      permissions: { mode: "auto" },
      agents: { model: scriptedModel(() => ({ text: hard })) },
    });
    const results = await callAll(session, dialect);
    const promised = new Map(session.tools().map(({ name, outputSchema }) => [name, outputSchema]));
    for (const { what, name, result } of results) {
      if (result.status === "done")
        expect(compileSchema(promised.get(name)!)(result.data), what).toMatchObject({ ok: true });
      expect(() => JSON.parse(result.text), what).not.toThrow();
      expect(
        result.content.filter(({ type }) => type === "text"),
        what,
      ).toEqual([{ type: "text", text: result.text }]);
      const told = JSON.parse(result.text) as Record<string, unknown>;
      if (result.omitted !== undefined)
        expect(told, what).toMatchObject({ note: expect.stringContaining("part") });
      if (result.truncated && "truncated" in told) expect(told.truncated, what).toBe(true);
      // A note on the input comes on top.
      expect(result.text.length, what).toBeLessThanOrEqual(maxCharacters + 200);
      expect(result.text, what).not.toContain(token);
    }
    const noted = results.filter(({ result }) => result.text.includes("was a string and was read as"));
    expect(noted.length).toBeGreaterThan(8);
    expect(results.filter(({ result }) => result.truncated).length).toBeGreaterThan(8);
  },
);

async function callAll(
  session: Session,
  dialect: Dialect,
): Promise<{ what: string; name: string; result: CallResult }[]> {
  const results: { what: string; name: string; result: CallResult }[] = [];
  for (const [tool, inputs] of Object.entries(calls)) {
    for (const input of inputs) {
      const { name } = dialect.tools[tool]!;
      const result = await session.call(name, input);
      results.push({ name, what: `${name} ${JSON.stringify(input).slice(0, 100)}`, result });
    }
  }
  return results;
}

test("in a JSON dialect, the pages of a file and of matches join without a gap", async () => {
  const { session } = await openFileSession(files, { dialect: "kode", output: { maxCharacters: 1500 } });
  const lines: string[] = [];
  for (let offset = 1; ; offset = lines.length + 1) {
    const { data } = await session.call("fs_read", { path: "hard.txt", offset });
    const { content, truncated } = data as { content: string; truncated: boolean };
    lines.push(...content.replace(/\n$/, "").split("\n"));
    if (!truncated) break;
  }
  expect(`${lines.join("\n")}\n`).toBe(hard);

  const found: string[] = [];
  for (let isLast = false; !isLast; ) {
    const { data } = await session.call("fs_glob", { pattern: "many/*.txt", offset: found.length });
    const { matches, truncated } = data as { matches: string[]; truncated: boolean };
    found.push(...matches);
    isLast = !truncated;
  }
  expect(new Set(found).size).toBe(60);
  expect(found).toHaveLength(60);
});
