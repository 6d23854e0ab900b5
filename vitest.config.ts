import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Two cores are the smallest machine the suite promises to run on.
    maxWorkers: 2,
    // Every file would load the sources anew, which takes as long as running the tests.
    isolate: false,
    globalSetup: "test/support/compile-cache.ts",
    // Only what hangs runs into them: a busy machine takes ten times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
