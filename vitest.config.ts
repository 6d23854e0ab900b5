import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Two cores are the smallest machine the suite promises to run on.
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
