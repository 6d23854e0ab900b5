import { expect, test } from "vitest";
import { checkSyntax } from "../../../src/machine/shell-syntax/bash-oracle.ts";
import { fuzzRuns, fuzzSeed } from "../../support/fuzz.ts";
import { openShellWorkspace } from "../../support/open-shell-workspace.ts";
import { mutate } from "./fuzz/mutate.ts";
import { readSampleRows, type SampleRow } from "./sample-rows.ts";

const runs = fuzzRuns({ sample: 60, full: 100_000 });
const atOnce = 32;

test(`no command that may do harm is let through in any of ${runs} other words`, {
  timeout: 1_800_000,
}, async () => {
  const { session } = await openShellWorkspace({ permissions: { mode: "ask" } });
  const dangerous = await validRows();
  const allowed: string[] = [];
  for (let start = 0; start < runs; start += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, runs - start) }, (_, index) => start + index);
    await Promise.all(
      numbers.map(async (number) => {
        const row = dangerous[number % dangerous.length]!;
        const mutant = mutate(row.command, fuzzSeed + number);
        const { decision } = await session.explain("Bash", { command: mutant });
        if (decision === "allow")
          allowed.push(`${row.id} by seed ${fuzzSeed + number}: ${JSON.stringify(mutant)}`);
      }),
    );
  }
  expect(allowed, `begun with TOOLWRIGHT_FUZZ_SEED=${fuzzSeed}`).toEqual([]);
});

/** What is wrong only in its syntax may be mended by what is put around it. */
async function validRows(): Promise<SampleRow[]> {
  const { dangerous } = await readSampleRows();
  const opinions = await Promise.all(dangerous.map(({ command }) => checkSyntax(command)));
  return dangerous.filter((_, index) => opinions[index] === "ok");
}
