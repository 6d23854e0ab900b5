import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSchemaFile } from "../../../../src/faces/cli/commands/run.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

test("a schema that is missing, broken or not a schema is told as such", async () => {
  const file = join(await temporaryFolder(), "schema.json");
  await expect(readSchemaFile(file)).rejects.toThrow(`--schema: cannot read ${file}: ENOENT`);
  for (const [text, problem] of [
    ['{"type":', "is not valid JSON: "],
    ["[]", "is not a JSON Schema that can be checked: "],
    ["true", "is not a JSON Schema that can be checked: "],
    ['{"type":"objekt"}', "is not a JSON Schema that can be checked: #/type"],
  ] as const) {
    await writeFile(file, text);
    await expect(readSchemaFile(file), text).rejects.toThrow(`--schema: ${file} ${problem}`);
  }
  await writeFile(file, '{"type":"array"}');
  expect(await readSchemaFile(file)).toEqual({ type: "array" });
});
