import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { capabilities } from "../../../src/capabilities.ts";
import { policyPlaces } from "../../../src/kernel/policy/scopes/policy-places.ts";
import { openRuntimeWith } from "../../../src/kernel/runtime/open-runtime-with.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { projectFolder } from "../../architecture/project-files.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const testInFull = await needs("full run");

const greet = defineTool({
  name: "greet_person",
  description: "Greet a person.",
  params: { name: { type: "string" } },
  traits: { readOnly: true },
  run: ({ name }) => `Hello ${name}.`,
});

test.each(capabilities.map((capability) => capability.name))(
  "a runtime without the capability %s opens, takes calls to other tools, knows none of its tools, and closes",
  async (name) => {
    const { tools: removed = [] } = capabilities.find((capability) => capability.name === name)!;
    const runtime = await openRuntimeWith({
      capabilities: capabilities.filter((capability) => capability.name !== name),
      policyFiles: policyPlaces(),
      options: { workspace: temporaryFolder(), store: "memory:", sandbox: "off", tools: [greet] },
    });
    try {
      const session = await runtime.openSession({ mode: "auto" });
      const greeted = await session.call("greet_person", { name: "Ada" });
      expect(greeted).toMatchObject({ status: "done", text: "Hello Ada." });
      for (const tool of removed) {
        expect(await session.call(tool.name, {})).toMatchObject({ error: { code: "unknown-tool" } });
      }
      await session.close();
      const receipts = (await runtime.receipts()).filter(({ tool }) => tool === greet.name);
      expect(receipts.map(({ status }) => status)).toEqual(["done"]);
    } finally {
      await runtime.close();
    }
  },
);

testInFull(
  "the list of capabilities compiles without any one of its lines",
  async () => {
    const copy = temporaryFolder();
    for (const part of ["src", "dist", "tsconfig.json", "package.json"])
      await cp(join(projectFolder, part), join(copy, part), { recursive: true });
    await symlink(join(projectFolder, "node_modules"), join(copy, "node_modules"));
    const list = join(copy, "src/capabilities.ts");
    await writeFile(join(copy, "tsconfig.src.json"), '{ "extends": "./tsconfig.json", "include": ["src"] }');
    const text = await readFile(list, "utf8");
    const lines = text.match(/^ {2}(\w+Capability),$/gm) ?? [];
    expect(lines).toHaveLength(capabilities.length);
    for (const line of lines) {
      const name = line.trim().replace(",", "");
      await writeFile(list, text.replace(new RegExp(`^.*\\b${name}\\b.*\\n`, "gm"), ""));
      // Rejects, with what the compiler prints, if it finds something.
      await promisify(execFile)("tsc", ["-p", "tsconfig.src.json"], { cwd: copy });
    }
  },
  600_000,
);
