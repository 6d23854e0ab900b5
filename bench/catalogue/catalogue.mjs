import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { toolNames as allNames } from "./catalogue-tools.mjs";
import { openAiSdkCatalogue, openMcpSdkCatalogue } from "./peer-catalogues.mjs";
import { measureSearch } from "./search-tools.mjs";
import { openToolwrightCatalogue } from "./toolwright-catalogue.mjs";

const sizes = { full: { toolCount: 10_000 }, smallest: { toolCount: 20 } };

/** The cost of defining, listing, looking up and searching 10,000 tools. */
export default async function measureCatalogue({ size }) {
  const { toolCount } = sizes[size];
  const toolNames = allNames.slice(0, toolCount);
  return withTemporaryFolder(async (workspace) => {
    const ours = await openToolwrightCatalogue(workspace, toolNames);
    const [aiSdk, mcpSdk] = [await openAiSdkCatalogue(toolNames), await openMcpSdkCatalogue(toolNames)];
    const renders = new Map([
      ...(await measureRounds(ourRenders(ours.session), { size, rounds: 40 })),
      ...(await measureRounds(peerRenders(aiSdk, mcpSdk), { size, rounds: 5 })),
    ]);
    const formats = await measureRounds(formatRenders(ours.session), { size, rounds: 40 });
    const lookups = await measureRounds(lookupCandidates(ours.registry, toolNames), { size });
    const calls = await measureRounds(callCandidates(ours, toolNames), { size });
    await Promise.all([ours.close(), mcpSdk.close()]);
    const searches = await measureSearch({ size, toolNames });
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
      bars: [...barsOf(renders, formats, { toolCount }), ...searches.bars],
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

function lookupCandidates(registry, toolNames) {
  const map = new Map(toolNames.map((name) => [name, name]));
  const lookUpAll = async (find) => {
    for (const name of toolNames) if (find(name) === undefined) throw new Error(`${name} was not found`);
  };
  const operations = toolNames.length;
  return [
    { name: "Map.get", operations, run: () => lookUpAll((name) => map.get(name)) },
    { name: "Toolwright, registry.find", operations, run: () => lookUpAll(registry.find) },
  ];
}

function callCandidates({ session, registry }, toolNames) {
  const middle = toolNames[toolNames.length / 2];
  const misspelt = "slack_mesage_serach";
  return [
    { name: "Toolwright, by the right name", operations: 1, run: () => call(session, middle, "done") },
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

function barsOf(renders, formats, { toolCount }) {
  const [floor, ours] = [renders.get(floorName).best, renders.get(ourName).best];
  const slowest = Math.max(...[...formats.values()].map(({ best }) => best));
  // 20 ms where plain JSON takes 15.
  const limit = 1.33;
  return [
    bar(`${toolCount} tools rendered again, over JSON.stringify`, { value: ours / floor, limit }),
    bar(`${toolCount} tools in the slowest format again, over JSON.stringify`, {
      value: slowest / floor,
      limit,
    }),
  ];
}
