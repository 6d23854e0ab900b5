import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findBlocks, type MarkdownBlock } from "./markdown-blocks.ts";

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

// In order and in one workspace, as a reader would try them: later blocks see what earlier ones did.
test.each(["README.md", "CONTRIBUTING.md", "docs/sub-agents.md"])(
  "every example in %s does what it says",
  { timeout: 120_000 },
  async (name) => {
    const blocks = findBlocks(await readFile(join(projectFolder, name), "utf8"));
    const reader = await openReader();
    let printed: string | undefined;
    for (const block of blocks) {
      const where = `${name}:${block.line}`;
      if (block.language === "text") {
        expect(reader.comparable(printed ?? "nothing ran before"), where).toBe(reader.comparable(block.text));
        printed = undefined;
      } else printed = await follow(block, reader, where);
    }
  },
);

test("the commands for trying it out are scripts of the package", async () => {
  const readme = await readFile(join(projectFolder, "README.md"), "utf8");
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(projectFolder, "package.json"), "utf8"),
  );
  const commands = findBlocks(readme).filter(({ language }) => language === "shell");
  const named = commands.flatMap(({ text }) =>
    [...text.matchAll(/npm (?:run )?(\w+)/g)].map(([, script]) => script!),
  );
  expect(named).toEqual(expect.arrayContaining(["start", "test"]));
  expect(named.filter((script) => script !== "ci" && !Object.hasOwn(manifest.scripts, script))).toEqual([]);
});

/** Does what the block says and gives what that printed. */
async function follow(block: MarkdownBlock, reader: Reader, where: string): Promise<string | undefined> {
  const { language, file, text } = block;
  if (file !== undefined) return reader.write(file, text);
  switch (language) {
    case "ts":
      await reader.write("example.ts", text);
      return reader.run("node", ["example.ts"], where);
    case "sh":
      return reader.run("bash", ["-euc", text], where);
    case "shell":
      // Installs and builds this very repository; whoever runs the tests has done that.
      return undefined;
    default:
      throw new Error(`${where}: nobody knows how to try ${language}`);
  }
}

type Reader = Awaited<ReturnType<typeof openReader>>;

/** Somebody with a project of their own, in which the package is installed. */
async function openReader() {
  const home = await realpath(await mkdtemp(join(tmpdir(), "toolwright-readme-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const project = join(home, "project");
  const commands = join(project, "node_modules", ".bin");
  const write = async (path: string, text: string): Promise<undefined> => {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  };
  await write("package.json", '{ "type": "module" }');
  await write("notes.txt", "three small words\n");
  await write(".env", "KEY=value\n");
  await mkdir(commands, { recursive: true });
  await symlink(projectFolder, join(project, "node_modules", "toolwright"));
  const main = join(projectFolder, "dist", "cli", "main.js");
  await writeFile(join(commands, "toolwright"), `#!/bin/sh\nexec node '${main}' "$@"\n`, { mode: 0o755 });

  const env = {
    PATH: [commands, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
  };
  return {
    write,
    async run(command: string, words: readonly string[], where: string): Promise<string> {
      try {
        return (await promisify(execFile)(command, words, { cwd: project, env })).stdout;
      } catch (error) {
        throw new Error(`${where} fails: ${(error as Error).message}`, { cause: error });
      }
    },
    /** Without what differs from one run to the next: ids, times, and the width of columns that hold them. */
    comparable: (text: string) =>
      text
        .replaceAll(project, "/project")
        .replace(/\b(call|session)_[0-9a-z]{16,}/g, "$1_id")
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "TIME")
        .replace(/\b[\d.]+ m?s\b/g, "DURATION")
        .replace(/[ \t]+/g, " ")
        .trim(),
  };
}
