import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SkipSummary } from "./test/support/skip-summary.ts";

// Starting a program copies the page tables of whoever starts it, which takes 15 ms from a process of 350 MB. The
// workers inherit these: without them, each thread keeps memory of its own that others could have used.
process.env.MALLOC_ARENA_MAX ??= "1";
process.env.MALLOC_TRIM_THRESHOLD_ ??= "131072";

const isShuffled = process.argv.some((word) => word.startsWith("--sequence.shuffle"));

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // For two cores, the smallest machine the suite promises to run on: half of the tests mostly wait for programs.
    maxWorkers: 4,
    // Every file would load the sources anew, which takes as long as running the tests.
    isolate: false,
    // Room for new objects that is mostly not in use: with more of it, tests that start programs take a fifth longer.
    execArgv: ["--max-semi-space-size=2"],
    // Node reads the sources itself, so that what is tested is what runs, and nothing has to be transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Nobody's own policy may decide what a test sees.
    env: { XDG_CONFIG_HOME: "/sys/nonexistent/config" },
    globalSetup: [
      "test/support/memory-folder.ts",
      "test/support/compile-cache.ts",
      "test/support/programs/bundle-programs.ts",
    ],
    reporters: [...configDefaults.reporters, new SkipSummary()],
    ...(isShuffled || { sequence: { sequencer: LongestFirst } }),
    // Only what hangs runs into them: a busy machine takes ten times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
  },
});
