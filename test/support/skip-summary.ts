import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** Says at the end of a run how many tests were left out and why; one that was left out without a reason fails the run. */
export class SkipSummary implements Reporter {
  #vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests("skipped")]);
    const byReason = Map.groupBy(skipped, (test) => test.meta().skipReason ?? this.#findReason(test));
    if (byReason.has(noReason)) process.exitCode = 1;
    const lines = [...byReason]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .map(([reason, tests]) => `${String(tests.length).padStart(8)} skipped: ${reason}`);
    if (lines.length > 0) this.#vitest.logger.log(`${lines.join("\n")}\n`);
  }

  /** Vitest itself leaves out what was not asked for, and what comes after a hook that failed. */
  #findReason(test: TestCase): string {
    if (this.#vitest.config.testNamePattern !== undefined) return "not named by -t";
    return test.module.ok() ? noReason : "something before them failed";
  }
}

const noReason = "no reason was given; declare what they need with `needs`";
