import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listenAsModel } from "../../support/model-server/start-model-server.ts";
import { openReader, projectFolder } from "./document-reader.ts";
import { followDocument } from "./follow-document.ts";
import { findBlocks } from "./markdown-blocks.ts";

const names = ["", "docs"].map(async (folder) =>
  (await readdir(join(projectFolder, folder))).map((name) => join(folder, name)),
);
const documents = await Promise.all(
  (await Promise.all(names))
    .flat()
    .filter((name) => name.endsWith(".md"))
    .map(async (name) => ({ name, blocks: findBlocks(await readFile(join(projectFolder, name), "utf8")) })),
);
const withExamples = documents.filter(({ blocks }) => blocks.length > 0);
// The README's are followed in five-steps.test.ts, with the packed package.
const followed = withExamples.filter(({ name }) => name !== "README.md");

// In place of the vendors, whose keys nobody here has.
const model = await listenAsModel(() => ({ text: "It is mended." }));
afterAll(model.close);

// All at once: each has a folder of its own, and most of the time is spent waiting for processes to start.
const following = new Map(followed.map((document) => [document.name, follow(document)]));

test.each(followed)(
  "every example in $name does what its text says",
  { timeout: 240_000 },
  async ({ name }) => {
    const { problem } = await following.get(name)!;
    if (problem !== undefined) throw problem;
  },
);

test("every example compiles in a strict project", { timeout: 120_000 }, async () => {
  const reader = await openReader();
  try {
    const programs = withExamples.flatMap(({ name, blocks }) =>
      blocks
        .filter(({ language, reason }) => language === "ts" && reason === undefined)
        .map(({ line, text }) => ({ path: `${name}-${line}.ts`, text })),
    );
    expect(programs.length).toBeGreaterThan(15);
    for (const { path, text } of programs) await reader.write(path, text);
    await reader.write("tsconfig.json", JSON.stringify(strictProject));
    const compiler = join(projectFolder, "node_modules/typescript/bin/tsc");
    await reader.run("node", [compiler, "-p", "."], "an example");
  } finally {
    await reader.leave();
  }
});

const strictProject = {
  compilerOptions: {
    module: "nodenext",
    target: "es2024",
    strict: true,
    noEmit: true,
    types: ["node"],
    // As `tsc --init` proposes it: with what others declare, it would take ten times as long.
    skipLibCheck: true,
  },
};

test("the commands for trying it out are scripts of the package", async () => {
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(projectFolder, "package.json"), "utf8"),
  );
  const commands = withExamples.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "sh"));
  const named = commands.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm (?:run )?(?:--\w+ )?(\w+)/g)].map(([, script]) => script!),
  );
  expect(named).toEqual(expect.arrayContaining(["start", "test", "bench"]));
  const ofNpm = ["ci", "install", "pack", "run"];
  expect(
    named.filter((script) => !ofNpm.includes(script) && !Object.hasOwn(manifest.scripts, script)),
  ).toEqual([]);
});

async function follow(document: (typeof documents)[number]): Promise<{ readonly problem?: unknown }> {
  const reader = await openReader({ modelUrl: model.url });
  try {
    await followDocument(document, reader);
    return {};
  } catch (problem) {
    return { problem };
  } finally {
    await reader.leave();
  }
}
