import type { Dialect } from "../dialect.ts";

/** Every tool under its own name, with its own parameters and results. */
export const canonical: Dialect = {
  name: "canonical",
  pathPolicy: "any",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  tools: {},
};
