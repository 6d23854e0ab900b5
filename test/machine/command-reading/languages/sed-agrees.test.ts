import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import { findSedProblem } from "../../../../src/machine/command-reading/languages/sed-script.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { needs } from "../../../support/needs.ts";
import { sedScript } from "./sed-scripts.ts";

const run = promisify(execFile);

/** What GNU sed itself says of a script that it reads but gives nothing to. */
async function readBySed(script: string): Promise<"fine" | "dangerous" | "mistaken" | "missing"> {
  try {
    await run("sed", ["--sandbox", "-n", script, "/dev/null"], { timeout: 5000 });
    return "fine";
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    if (/sandbox mode/.test(stderr)) return "dangerous";
    return /unknown option|unrecognized option|illegal option|ENOENT/.test(`${stderr}${error}`)
      ? "missing"
      : "mistaken";
  }
}

const testWithSed = await needs(async () =>
  (await readBySed("p")) === "missing" || (await readBySed("w x")) !== "dangerous"
    ? "there is no GNU sed that knows --sandbox"
    : undefined,
);

testWithSed(
  "sed finds nothing to write, read or run in a script that is found harmless",
  { timeout: 600_000 },
  async () => {
    const scripts = fc.sample(sedScript, fuzzRuns({ sample: 200, full: 20_000 }));
    const harmless = scripts.filter((each) => findSedProblem(each) === undefined);
    const surprises: string[] = [];
    for (let start = 0; start < harmless.length; start += 8) {
      const opinions = await Promise.all(
        harmless.slice(start, start + 8).map(async (each) => [each, await readBySed(each)] as const),
      );
      for (const [each, opinion] of opinions)
        if (opinion === "dangerous") surprises.push(JSON.stringify(each));
    }
    expect(surprises).toEqual([]);
    expect(harmless.length).toBeGreaterThan(scripts.length / 50);
  },
);
