import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configTemplate } from "../../../../../src/faces/cli/commands/setup/init.ts";
import { configSchema } from "../../../../../src/faces/cli/config/config-file.ts";
import { compileSchema } from "../../../../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../../../src/shared/json-schema/json-schema.ts";
import { parseCommentedJson } from "../../../../../src/shared/options/parse-commented-json.ts";
import { createCli } from "../../run-cli.ts";

test("init writes a configuration that every command reads, and that has to be trusted after a change", async () => {
  const cli = await createCli({ "a.txt": "one" });
  expect(await cli(["init"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Wrote .toolwright/config.json"),
    stderr: "",
  });
  const config = join(cli.workspace, ".toolwright/config.json");
  expect(await cli(["init"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--force replaces it"),
  });
  const changed = (await readFile(config, "utf8")).replace('"allow": []', '"allow": ["Bash(npm run *)"]');
  await writeFile(config, changed.replace('"deny": []', '"deny": ["Read(a.txt)"]'));
  const refused = await cli(["call", "file_read", '{"path":"a.txt"}']);
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.stderr).toContain("can only ask and deny until you trust it");
  const trusted = await cli(["trust", "--yes"]);
  expect(trusted.stdout).toContain('sets permissions: {"mode":"ask","allow":["Bash(npm run *)"]');
  const after = await cli(["call", "file_read", '{"path":"a.txt"}']);
  expect({ exitCode: after.exitCode, mentions: after.stderr.includes("until you trust") }).toEqual({
    exitCode: 3,
    mentions: false,
  });
});

test("every option that a file can have is in the template, and counts once its comment marks are removed", async () => {
  const template = configTemplate("./config.schema.json");
  const everything = (await parseCommentedJson(template.replace(/^ {2}\/\/ (?=[" }\]])/gm, "  "))) as object;
  const { workspace: _, ...others } = configSchema.properties as Record<string, JsonSchema>;
  expect(Object.keys(everything).sort()).toEqual(Object.keys(others).sort());
  expect(compileSchema({ type: "object", properties: configSchema.properties })(everything)).toMatchObject({
    ok: true,
  });
  expect(Object.keys((await parseCommentedJson(template)) as object)).toEqual([
    "$schema",
    "permissions",
    "sandbox",
  ]);
});
