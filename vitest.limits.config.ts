import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

/** What measures time, processor time or memory: one file after the other, because two would measure each other. */
export default defineConfig({
  test: { ...everything.test, include: ["test/**/*.limits.ts"], maxWorkers: 1 },
});
