import { expect, test } from "vitest";
import type { Mode } from "../../../src/kernel/policy/decide.ts";
import { isHard, readSampleRows, type SampleRow } from "../../machine/command-reading/sample-rows.ts";
import { openShellWorkspace } from "../../support/open-shell-workspace.ts";

const { harmless, dangerous } = await readSampleRows();
const timeout = 120_000;

for (const mode of ["ask", "readonly"] as const) {
  test(`in mode ${mode} no command that may do harm is let through`, { timeout }, async () => {
    const allowed = await allowedAmong(dangerous, mode);
    expect(allowed.map(({ id, command }) => `${id}: ${command}`)).toEqual([]);
  });

  test(`in mode ${mode} nearly every harmless command is let through without a question`, {
    timeout,
  }, async () => {
    const allowed = new Set(await allowedAmong(harmless, mode));
    const share = (rows: readonly SampleRow[]) => rows.filter((row) => allowed.has(row)).length / rows.length;
    const refused = harmless.filter((row) => !allowed.has(row)).map(({ id, command }) => `${id}: ${command}`);
    expect(share(harmless.filter((row) => !isHard(row))), refused.join("\n")).toBeGreaterThanOrEqual(0.95);
    expect(share(harmless), refused.join("\n")).toBeGreaterThanOrEqual(0.9);
  });
}

test("a pattern tells of the folder it is looked for in, whatever it finds there", async () => {
  const { session } = await openShellWorkspace();
  // The workspace is all there is in the folder around it.
  for (const command of ["echo ../*", "ls ../w*", 'for f in ../*; do echo "$f"; done', "ls src/../../*"]) {
    expect([command, (await session.explain("Bash", { command })).decision]).toEqual([command, "ask"]);
  }
  expect((await session.explain("Bash", { command: "ls src/../*.md" })).decision).toBe("allow");
});

/** Asked of a session, as anybody would, on a real repository. */
async function allowedAmong(rows: readonly SampleRow[], mode: Mode): Promise<SampleRow[]> {
  const { session } = await openShellWorkspace({ permissions: { mode } });
  const allowed: SampleRow[] = [];
  for (const row of rows) {
    const { decision } = await session.explain("Bash", { command: row.command });
    if (decision === "allow") allowed.push(row);
  }
  return allowed;
}
