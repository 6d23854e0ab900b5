import { expect, test } from "vitest";
import { builtinTools } from "../../../src/capabilities.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { createDialectForm } from "../../../src/kernel/dialects/tool-form.ts";
import type { AnyTool } from "../../../src/tool/define-tool.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const builtins = new Map<string, AnyTool>(builtinTools.map((tool) => [tool.name, tool]));

/** Every tool of every dialect, with the names of its parameters, and the tool's own names that it does not show. */
const rows = dialects.flatMap((dialect) =>
  Object.entries(dialect.tools).map(([canonicalName, row]) => {
    const tool = builtins.get(canonicalName)!;
    const form = createDialectForm(tool, row, dialect);
    const shown = Object.keys(form.inputSchema.properties ?? {});
    const others = Object.values(row.params ?? {}).flatMap((param) => param?.otherNames ?? []);
    const unseen = Object.keys(tool.inputSchema.properties ?? {}).filter(
      (name) => !shown.includes(name) && !others.includes(name),
    );
    return { dialect, row, form, shown, unseen };
  }),
);

function wordsOf(text: string): string[] {
  return text.split(/[^\w.-]+/).flatMap((word) => [word, word.replace(/^\.|\.$/g, "")]);
}

test("an unknown parameter is refused in the dialect's own words, in every tool of every dialect", () => {
  expect(rows.length).toBeGreaterThan(100);
  for (const { dialect, row, form, shown, unseen } of rows) {
    const misspelt = shown.map((name) => `${name}_`).filter((name) => !shown.includes(name));
    for (const given of [...unseen, ...misspelt, "constructor", "none_of_them"]) {
      const where = `${dialect.name} ${row.name} ${given}`;
      const translation = form.translateInput({ [given]: "x" });
      if (translation.ok) throw new Error(`${where} was accepted`);
      const { issues, hint } = translation;
      const text = [...issues.map(({ message }) => message), hint?.("/workspace") ?? ""].join(" ");
      // No JSON value has it as a key, whatever the schema.
      const isInherited = given === "constructor" && text.includes("an object with the key constructor");
      const places = [`$.${given} is not allowed`, `$["${given}"] is not allowed`];
      expect(isInherited || places.some((place) => text.includes(place)), `${where}: ${text}`).toBe(true);
      const told = wordsOf(text).filter((word) => word !== given);
      expect(
        told.filter((word) => unseen.includes(word) && !shown.includes(word)),
        where,
      ).toEqual([]);
      const [, suggested] = /did you mean (.+?)\?/.exec(text) ?? [];
      if (suggested !== undefined) expect(shown, where).toContain(suggested);
      if (misspelt.includes(given)) expect(suggested, where).toBeDefined();
      const renamed = row.params?.[given]?.fixed === undefined ? row.params?.[given]?.name : undefined;
      if (unseen.includes(given) && renamed !== undefined)
        expect(hint?.("/workspace"), where).toBe(`Use ${renamed} in place of ${given}.`);
    }
  }
});

test("an answer to a call names the tool and its parameters as the caller does", async () => {
  const { runtime } = await openTestSession();
  for (const dialect of dialects) {
    const session = await runtime.openSession({ dialect: dialect.name });
    for (const { row, unseen } of rows.filter((each) => each.dialect === dialect)) {
      const { status, error, text } = await session.call(row.name, { none_of_them: 1 });
      expect({ status, code: error?.code }).toEqual({ status: "failed", code: "invalid-input" });
      expect(error?.message).toContain(`invalid input for ${row.name}: `);
      expect(
        wordsOf(`${error?.message} ${error?.hint} ${text}`).filter((word) => unseen.includes(word)),
      ).toEqual([]);
    }
  }
});

test("a tool's own hint names a parameter as the caller does", async () => {
  const { runtime } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  const kode = await runtime.openSession({ dialect: "kode" });
  const { error } = await kode.call("bash_run", { cmd: "true", keep: true });
  expect(error?.hint).toBe("Set background=true as well.");
});

test("a renamed parameter inside a list is refused in the dialect's own words", async () => {
  const { runtime } = await openTestSession();
  const kode = await runtime.openSession({ dialect: "kode" });
  const edits = [{ path: "a.txt", old_string: "a", replace: "b" }];
  const { error } = await kode.call("fs_multi_edit", { edits });
  expect(error?.message).toContain("$.edits[0].find is required but missing");
  expect(error?.message).toMatch(
    /\$\.edits\[0\]\.old_string is not allowed.*; expected only path, find, replace/,
  );
});
