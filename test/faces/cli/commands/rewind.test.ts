import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCli, parseLines } from "../run-cli.ts";

test("a conversation and its files are taken back from the command line, and another goes on from it", async () => {
  const write = { calls: [{ name: "file_write", input: { path: "a.txt", content: "two\n" } }] };
  const cli = await createCli({
    "a.txt": "one\n",
    "write.json": JSON.stringify([
      { calls: [{ name: "file_read", input: { path: "a.txt" } }] },
      write,
      { text: "Done." },
    ]),
    "say.json": JSON.stringify([{ text: "Hello." }]),
  });
  const content = () => readFile(join(cli.workspace, "a.txt"), "utf8");
  const run = (words: readonly string[]) => cli(["run", "--mode", "edit", ...words]);
  await run(["change it", "--session", "one", "--model", "scripted/write.json"]);
  expect(await content()).toBe("two\n");

  const listed = await cli(["rewind", "one"]);
  const number = /^(\d+) .* change it$/m.exec(listed.stdout)?.[1];
  expect(await cli(["rewind", "one", "999"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no message 999"),
  });
  // Where nobody can be asked, what has to be asked is not done.
  expect(await cli(["rewind", "one", number!])).toMatchObject({ exitCode: 1 });
  expect(await content()).toBe("two\n");
  await run(["and then?", "--fork", "--resume", "one", "--model", "scripted/say.json"]);
  const back = await cli(["rewind", "one", number!, "--mode", "edit"]);
  expect(back).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("restored 1 file\n  a.txt") });
  expect(await content()).toBe("one\n");

  const sessions = parseLines((await cli(["sessions", "--json"])).stdout);
  const fork = sessions.find(({ id }) => id !== "one");
  const { stdout } = await cli(["export", String(fork!.id), "--md"]);
  expect(stdout).toMatch(/> change it[\s\S]*> and then\?[\s\S]*> Hello\./);
  expect((await cli(["export", "one", "--md"])).stdout).not.toContain("change it");
});
