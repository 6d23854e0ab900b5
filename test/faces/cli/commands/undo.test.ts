import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCli } from "../run-cli.ts";

const edit = '{"path":"a.txt","old_string":"one","new_string":"two"}';

test("a call is previewed, made, undone and redone, each in a process of its own", async () => {
  const cli = await createCli({ "a.txt": "one\n" });
  const content = () => readFile(join(cli.workspace, "a.txt"), "utf8");
  const preview = await cli(["call", "file_edit", edit, "--dry-run"]);
  expect(preview).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("-one\n+two") });
  expect(await content()).toBe("one\n");

  const made = await cli(["call", "file_edit", edit, "--mode", "edit", "--json"]);
  const { callId } = JSON.parse(made.stdout) as { callId: string };
  expect(await content()).toBe("two\n");
  expect(await cli(["undo", callId, "--mode", "edit"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("a.txt"),
  });
  expect(await content()).toBe("one\n");
  expect((await cli(["redo", callId, "--mode", "edit"])).exitCode).toBe(0);
  expect(await content()).toBe("two\n");
  expect((await cli(["log", "--verify"])).exitCode).toBe(0);
});

test("an undo finds the call's session by itself", async () => {
  const cli = await createCli({ "a.txt": "one\n" });
  const made = await cli(["call", "file_edit", edit, "--mode", "edit", "--json", "--session", "other"]);
  const { callId } = JSON.parse(made.stdout) as { callId: string };
  expect((await cli(["undo", callId, "--mode", "edit"])).exitCode).toBe(0);
  expect(await readFile(join(cli.workspace, "a.txt"), "utf8")).toBe("one\n");
});

test("undo says why a call cannot be undone, with the exit code that fits", async () => {
  const cli = await createCli({ "a.txt": "one\n" });
  expect(await cli(["undo", "call_unknown"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no call"),
  });
  const made = await cli(["call", "file_edit", edit, "--mode", "edit", "--json"]);
  const { callId } = JSON.parse(made.stdout) as { callId: string };
  expect((await cli(["undo", callId])).exitCode).toBe(3);
  await writeFile(join(cli.workspace, "a.txt"), "three\n");
  const conflict = await cli(["undo", callId, "--mode", "edit"]);
  expect(conflict).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("a.txt") });
  expect(await readFile(join(cli.workspace, "a.txt"), "utf8")).toBe("three\n");
});
