import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { toolCount, toolNames } from "./catalogue-tools.mjs";
import { openAiSdkCatalogue, openMcpSdkCatalogue } from "./peer-catalogues.mjs";
import { measureSearch } from "./search-tools.mjs";
import { openToolwrightCatalogue } from "./toolwright-catalogue.mjs";

/** The cost of defining, listing, looking up and searching 10,000 tools. */
export default async function measureCatalogue() {
  return withTemporaryFolder(async (workspace) => {
    const ours = await openToolwrightCatalogue(workspace);
    const [aiSdk, mcpSdk] = [await openAiSdkCatalogue(), await openMcpSdkCatalogue()];
    const renders = new Map([
      ...(await measureRounds(ourRenders(ours.session), { rounds: 40 })),
      ...(await measureRounds(peerRenders(aiSdk, mcpSdk), { rounds: 5 })),
    ]);
    const formats = await measureRounds(formatRenders(ours.session), { rounds: 40 });
    const lookups = await measureRounds(lookupCandidates(ours.registry));
    const calls = await measureRounds(callCandidates(ours));
    await Promise.all([ours.close(), mcpSdk.close()]);
    const searches = await measureSearch();
    return {
      tables: [
        { title: `${toolCount} tools, once`, rows: onceRows(ours, aiSdk, mcpSdk) },
        {
          title: `${toolCount} tools rendered again`,
          rows: compareRows(renders, { floor: floorName, unit: "ms", scale: 1000 }),
        },
        {
          title: `${toolCount} tools rendered again, by format`,
          rows: toRows(formats, { unit: "ms", scale: 1000 }),
        },
        {
          title: `One of ${toolCount} tools by its name`,
          rows: compareRows(lookups, { floor: "Map.get", unit: "µs", scale: 1 }),
        },
        { title: `Calls among ${toolCount} tools`, rows: toRows(calls, { unit: "µs", scale: 1 }) },
        searches.table,
      ],
      bars: [...barsOf(renders, formats), ...searches.bars],
    };
  });
}

const floorName = "JSON.stringify of the same catalogue";
const ourName = "Toolwright, session.tools() as JSON";

function ourRenders(session) {
  const catalogue = session.tools();
  return [
    { name: floorName, operations: 1, run: async () => JSON.stringify(catalogue) },
    { name: ourName, operations: 1, run: async () => JSON.stringify(session.tools()) },
    { name: "Toolwright, session.tools() alone", operations: 1, run: async () => session.tools() },
  ];
}

function formatRenders(session) {
  return formatNames.map((format) => ({
    name: `Toolwright, session.tools({ format: "${format}" })`,
    operations: 1,
    run: async () => session.tools({ format }),
  }));
}

const formatNames = ["openai", "openai-responses", "anthropic", "ai-sdk", "gemini", "mcp"];

function peerRenders(aiSdk, mcpSdk) {
  return [
    { name: "AI SDK, generateText as JSON", operations: 1, run: aiSdk.render },
    { name: "MCP SDK, tools/list in memory", operations: 1, run: mcpSdk.render },
  ];
}

function lookupCandidates(registry) {
  const map = new Map(toolNames.map((name) => [name, name]));
  return [
    { name: "Map.get", operations: toolCount, run: async () => lookUpAll((name) => map.get(name)) },
    { name: "Toolwright, registry.find", operations: toolCount, run: async () => lookUpAll(registry.find) },
  ];
}

function lookUpAll(find) {
  for (const name of toolNames) if (find(name) === undefined) throw new Error(`${name} was not found`);
}

function callCandidates({ session, registry }) {
  const misspelt = "slack_mesage_serach";
  return [
    {
      name: "Toolwright, by the right name",
      operations: 1,
      run: () => call(session, toolNames[5000], "done"),
    },
    { name: "Toolwright, by a wrong name", operations: 1, run: () => call(session, misspelt, "failed") },
    { name: "Toolwright, nearest names alone", operations: 1, run: async () => registry.explain(misspelt) },
  ];
}

async function call(session, name, expected) {
  const { status, text } = await session.call(name, { query: "fox" });
  if (status !== expected) throw new Error(`${name} ended ${status}: ${text}`);
}

function onceRows(ours, aiSdk, mcpSdk) {
  const row = (name, value) => ({ name, unit: "ms", best: value, median: value });
  return [
    row("Toolwright, defineTool", ours.defineMs),
    row("Toolwright, register", ours.registerMs),
    row("Toolwright, first session.tools() as JSON", ours.firstRenderMs),
    row("AI SDK, tool with a Zod schema", aiSdk.defineMs),
    row("AI SDK, first generateText as JSON", aiSdk.firstRenderMs),
    row("MCP SDK, registerTool with a Zod schema", mcpSdk.defineMs),
    row("MCP SDK, first tools/list", mcpSdk.firstRenderMs),
  ];
}

function compareRows(times, { floor, unit, scale }) {
  const floorTime = times.get(floor).best;
  return toRows(times, { unit, scale }).map((row) => ({
    ...row,
    ratios: { [floor]: times.get(row.name).best / floorTime },
  }));
}

function toRows(times, { unit, scale }) {
  return [...times].map(([name, { best, median }]) => ({
    name,
    unit,
    best: best / scale,
    median: median / scale,
  }));
}

function barsOf(renders, formats) {
  const [floor, ours] = [renders.get(floorName).best, renders.get(ourName).best];
  const slowest = Math.max(...[...formats.values()].map(({ best }) => best));
  // 20 ms where plain JSON takes 15.
  const limit = 1.33;
  return [
    bar("10,000 tools rendered again, over JSON.stringify", { value: ours / floor, limit }),
    bar("10,000 tools in the slowest format again, over JSON.stringify", { value: slowest / floor, limit }),
  ];
}
