// Not published, so imported from the source, which Node can run directly.
import { createDialectView } from "../../src/kernel/dialects/dialect-view.ts";
import { findDialect } from "../../src/kernel/dialects/dialects.ts";
import { createRegistry } from "../../src/kernel/registry/create-registry.ts";
import { createToolIndex } from "../../src/kernel/tool-search/tool-index.ts";
import { defineTool } from "../../src/tool/define-tool.ts";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { timeOnce } from "../support/time-once.mjs";
import { catalogueParams, describeTool, lookUp } from "./catalogue-tools.mjs";

/** The cost of finding a tool among many, and of keeping the index. */
export async function measureSearch({ size, toolNames }) {
  const registry = createRegistry();
  for (const name of toolNames) registry.register(defineLookup(name));
  const index = createToolIndex(registry, createDialectView(findDialect("flyto"), registry));
  const search = (query) => index.search(query, { limit: 10, session });
  const { elapsedMs: firstMs } = await timeOnce(() => search(queries[0]));
  const times = await measureRounds(candidates(search), { size, rounds: 40 });
  const adding = await measureRounds([addOne(registry, search)], { size, rounds: 20 });
  const inMs = ([name, { best, median }]) => ({ name, unit: "ms", best: best / 1000, median: median / 1000 });
  const slowest = Math.max(...[...times.values()].map(({ median }) => median)) / 1000;
  return {
    table: {
      title: `A search among ${toolNames.length} tools`,
      rows: [
        { name: "the first query, which builds the index", unit: "ms", best: firstMs, median: firstMs },
        ...[...times].map(inMs),
        ...[...adding].map(inMs),
      ],
    },
    bars: [
      bar(`slowest query among ${toolNames.length} tools, at the median`, {
        value: slowest,
        limit: 2,
        unit: "ms",
      }),
    ],
  };
}

const session = { id: "bench", workspace: "/", dialect: "flyto", mode: "ask" };

const queries = [
  "github issue create",
  "send a message to a slack channel",
  "archive the invoice in stripe",
  "refun",
  "stripe_payment_retry",
  "looks up records newest first and gives back at most as many as were asked for",
  "a tool that nobody has ever thought of: xyzzy plugh frobnicate",
  "issue ".repeat(15_000),
];

function candidates(search) {
  return queries.map((query) => ({
    name: query.length > 50 ? `${query.slice(0, 40)}… (${query.length} characters)` : query,
    operations: 1,
    run: () => search(query),
  }));
}

function addOne(registry, search) {
  let count = 0;
  return {
    name: "one more tool registered, then found",
    operations: 1,
    run: async () => {
      count += 1;
      registry.register(defineLookup(`latecomer_number_${count}`));
      const [found] = await search(`latecomer_number_${count}`);
      if (found?.name !== `latecomer_number_${count}`) throw new Error("the new tool was not found");
    },
  };
}

function defineLookup(name) {
  return defineTool({ name, description: describeTool(name), params: catalogueParams, run: lookUp });
}
