import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { formatters } from "../../../../../src/capabilities/code/format/formatters.ts";
import type { RuntimeOptions } from "../../../../../src/index.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

const free: RuntimeOptions = { permissions: { mode: "auto" }, sandbox: "off" };

async function openProject(files: Record<string, string>, options: RuntimeOptions = free) {
  const opened = await openTestSession({ dialect: "kode", ...options });
  for (const [path, text] of Object.entries(files)) {
    const file = join(opened.workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (path.includes(".bin/")) await chmod(file, 0o755);
  }
  const format = (paths: string[], more: object = {}) =>
    opened.session.call("code_format", { paths, ...more });
  const read = (path: string) => readFile(join(opened.workspace, path), "utf8");
  return { ...opened, format, read };
}

/** Double spaces become single; says how it was called, and where. */
const squeeze = '#!/bin/sh\npwd > called; echo "$@" >> called\nexec sed "s/  / /g"\n';

const biome = { "biome.json": "{}", "node_modules/.bin/biome": squeeze };

test("files are formatted by what the project is configured for, and it can be undone", async () => {
  const { format, read, session, workspace } = await openProject({
    ...biome,
    "src/a b.ts": "let  x\n",
    "src/c.ts": "let y\n",
  });
  const checked = await format(["src/a b.ts", "src/c.ts"], { check: true });
  expect(checked.data).toMatchObject({
    formatter: "biome",
    changed: [{ path: "src/a b.ts" }],
    unchanged: ["src/c.ts"],
    isCheck: true,
  });
  expect(checked.text).toContain("Would change by biome: src/a b.ts.");
  expect(await read("src/a b.ts")).toBe("let  x\n");
  const done = await format(["src/a b.ts", "src/c.ts"]);
  expect(done.text).toMatch(/^Formatted by biome: src\/a b\.ts\.\nAlready formatted: src\/c\.ts\.\n/);
  expect(done.text).toContain("-let  x\n+let x");
  expect(await read("src/a b.ts")).toBe("let x\n");
  expect(await read("called")).toBe(`${workspace}\nformat --stdin-file-path=src/c.ts\n`);
  expect(done.receipt.effects.writes).toEqual(["src/a b.ts", "src/c.ts"]);
  await session.undo(done.callId);
  expect(await read("src/a b.ts")).toBe("let  x\n");
});

test("the nearest configuration decides, and line ends stay as they are", async () => {
  const { format, read } = await openProject({
    ...biome,
    "web/.prettierrc": "{}",
    "web/node_modules/.bin/prettier": squeeze,
    "web/deep/a.ts": "let  x\r\nlet y\r\n",
  });
  expect((await format(["web/deep/a.ts"])).data).toMatchObject({ formatter: "prettier" });
  expect(await read("web/deep/a.ts")).toBe("let x\r\nlet y\r\n");
  expect(await read("web/called")).toContain("--stdin-filepath deep/a.ts");
});

test("a formatter that is missing, not configured, or fails is told, and nothing is changed", async () => {
  const { format, read } = await openProject({
    "package.json": '{ "prettier": {} }',
    "a.ts": "let  x\n",
    "go/go.mod": "",
    "go/a.go": "package  a\n",
    "broken/biome.json": "{}",
    "broken/node_modules/.bin/biome": "#!/bin/sh\necho 'let'; echo 'no such rule' >&2; exit 1\n",
    "broken/a.ts": "let  x\n",
    "empty/biome.json": "{}",
    "empty/node_modules/.bin/biome": "#!/bin/sh\nexit 0\n",
    "empty/a.ts": "let  x\n",
    "empty/control.ts": "let x = '\u001b[31m'\n",
    "b.xyz": "",
  });
  expect((await format(["a.ts"])).error).toMatchObject({
    code: "unavailable",
    message: "the project is configured for prettier, which is not installed",
  });
  expect((await format(["b.xyz"])).error).toMatchObject({
    code: "unsupported",
    message: "the project has no formatter that is configured for .xyz files",
  });
  expect((await format(["broken/a.ts"])).error).toMatchObject({
    code: "tool-failed",
    message: "biome could not format broken/a.ts: it said:\n```text\nno such rule\n```",
  });
  expect((await format(["empty/a.ts"])).error?.message).toBe("biome did not print the whole of empty/a.ts");
  expect((await format(["empty/control.ts"])).error?.code).toBe("unsupported");
  const both = await format(["broken/a.ts", "b.xyz"]);
  expect(both.data).toMatchObject({ changed: [], failed: [{ path: "broken/a.ts" }, { path: "b.xyz" }] });
  expect(await read("broken/a.ts")).toBe("let  x\n");
});

test("formatting is judged as a command that changes files", async () => {
  const asked: string[] = [];
  const { format, read } = await openProject(
    { ...biome, "a.ts": "let  x\n", "b.ts": "let  x\n" },
    {
      sandbox: "off",
      permissions: { mode: "ask", deny: ["Edit(b.ts)"] },
      onApproval: ({ verdict }) => {
        asked.push(`${verdict.permissionClass} ${verdict.effects.writes.join()}`);
        return { decision: "allow" };
      },
    },
  );
  expect((await format(["b.ts"])).status).toBe("denied");
  expect((await format(["a.ts"])).status).toBe("done");
  expect(asked).toEqual(["execute a.ts"]);
  expect(await read("a.ts")).toBe("let x\n");
  const strict = await openProject(
    { ...biome, "a.ts": "let  x\n" },
    { ...free, permissions: { mode: "auto", deny: ["Bash(*biome*)"] } },
  );
  expect((await strict.format(["a.ts"])).status).toBe("denied");
  expect(await strict.read("a.ts")).toBe("let  x\n");
  const readonly = await openTestSession({ permissions: { mode: "readonly" } });
  expect(readonly.session.tools().find(({ name }) => name === "code_format")?.denied).toContain("readonly");
});

test("every formatter gets the file's name as one word, whatever is in it", () => {
  for (const { words, endings } of formatters) {
    const name = `a b; touch x $(y).${endings[0]}`;
    const given = words(name);
    expect(given.filter((word) => word.includes("touch")).every((word) => word.endsWith(name))).toBe(true);
  }
});
