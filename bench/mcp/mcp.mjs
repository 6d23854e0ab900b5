import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { checkEcho, echoInput } from "../call/echo.mjs";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";

const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const bareServer = fileURLToPath(new URL("./bare-server.mjs", import.meta.url));
const plugin = fileURLToPath(new URL("./bench-plugin.mjs", import.meta.url));
const sizes = { full: { listedTools: 1000 }, smallest: { listedTools: 10 } };

/** The cost of a call and a list over MCP, compared with a bare SDK server with the same tools, in separate processes. */
export default async function measureMcp({ size }) {
  const { listedTools } = sizes[size];
  return withTemporaryFolder(async (workspace) => {
    const place = await preparePlace(workspace);
    const opened = [];
    try {
      const calls = await openAll(callers(place), opened);
      // A real server runs for hours, and it is the server process that has to be warm.
      const pace = { rounds: 40, roundMs: 20, warmUpMs: 3000 };
      const callTimes = await measureRounds(calls.map(toCall), { size, ...pace });
      const lists = await openAll(listers(place, listedTools), opened);
      const listing = lists.map((server) => toList(server, listedTools));
      const listTimes = await measureRounds(listing, { size, rounds: 20, roundMs: 50 });
      return {
        tables: tablesOf(callTimes, listTimes, { listedTools }),
        bars: barsOf(callTimes, listTimes, { listedTools }),
      };
    } finally {
      for (const { close } of opened.reverse()) await close();
    }
  });
}

async function preparePlace(workspace) {
  const config = join(workspace, "config.json");
  // The same call with the same result, over and over, is what is measured.
  const loops = { warnAt: 0, askAt: 0 };
  await writeFile(config, JSON.stringify({ plugins: [plugin], loops }));
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(workspace, "state"),
    XDG_CACHE_HOME: join(workspace, "cache"),
  };
  return { workspace, config, env };
}

function callers(place) {
  const ours = (verb, store) => [commandLine, verb, "--config", place.config, ...store];
  return [
    ["stdio, bare SDK", () => openStdio(place, [bareServer, "stdio"])],
    ["stdio, Toolwright, memory", () => openStdio(place, ours("mcp", ["--store", "memory:"]))],
    ["stdio, Toolwright, SQLite", () => openStdio(place, ours("mcp", []))],
    ["HTTP, bare SDK", () => openHttp(place, [bareServer, "http"])],
    [
      "HTTP, Toolwright, memory",
      () => openHttp(place, [...ours("serve", ["--store", "memory:"]), ...onFreePort]),
    ],
    ["HTTP, Toolwright, SQLite", () => openHttp(place, [...ours("serve", []), ...onFreePort])],
  ];
}

const onFreePort = ["--json", "--port", "0"];

function listers(place, listedTools) {
  const env = { ...place.env, TOOLWRIGHT_BENCH_TOOLS: String(listedTools) };
  const many = { ...place, env };
  const ours = [commandLine, "mcp", "--config", place.config, "--store", "memory:"];
  return [
    ["bare SDK", () => openStdio(many, [bareServer, "stdio", String(listedTools)])],
    ["Toolwright", () => openStdio(many, ours)],
  ];
}

async function openAll(candidates, opened) {
  const all = [];
  for (const [name, open] of candidates) {
    const server = { name, ...(await open()) };
    opened.push(server);
    all.push(server);
  }
  return all;
}

async function openStdio({ workspace, env }, args) {
  const client = createClient();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: workspace,
    env,
    stderr: "ignore",
  });
  await client.connect(transport);
  return { client, close: () => client.close() };
}

async function openHttp({ workspace, env }, args) {
  const child = spawn(process.execPath, args, { cwd: workspace, env, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const { url, token } = JSON.parse(line);
  const client = createClient();
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const close = async () => {
    await client.close();
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };
  return { client, close };
}

function createClient() {
  return new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
}

function toCall({ name, client }) {
  const run = async () => {
    const { content } = await client.callTool({ name: "echo", arguments: echoInput });
    checkEcho(content[0].text);
  };
  return { name, run, operations: 1 };
}

function toList({ name, client }, listedTools) {
  const run = async () => {
    // Not `listTools`, which caches its result.
    const { tools } = await client.request({ method: "tools/list", params: {} });
    if (tools.length < listedTools) throw new Error(`${name} listed ${tools.length} tools`);
  };
  return { name, run, operations: 1 };
}

function tablesOf(callTimes, listTimes, { listedTools }) {
  const floorOf = (name) => callTimes.get(`${name.split(",")[0]}, bare SDK`).best;
  return [
    { title: "One tools/call", rows: rowsOf(callTimes, floorOf) },
    {
      title: `tools/list of ${listedTools} tools`,
      rows: rowsOf(listTimes, () => listTimes.get("bare SDK").best),
    },
  ];
}

function rowsOf(times, floorOf) {
  return [...times].map(([name, { best, median }]) => ({
    name,
    unit: "µs",
    best,
    median,
    ratios: { "bare SDK": best / floorOf(name) },
  }));
}

/** The bare server keeps no records on disk; the table shows what that adds. */
function barsOf(callTimes, listTimes, { listedTools }) {
  const ratio = (times, name, to) => times.get(name).best / times.get(to).best;
  const call = (way) => ratio(callTimes, `${way}, Toolwright, memory`, `${way}, bare SDK`);
  return [
    bar("tools/call over stdio over a bare SDK server", { value: call("stdio"), limit: 1.5 }),
    bar("tools/call over HTTP over a bare SDK server", { value: call("HTTP"), limit: 1.5 }),
    bar(`listing ${listedTools} tools over a bare SDK server`, {
      value: ratio(listTimes, "Toolwright", "bare SDK"),
      limit: 1.2,
    }),
  ];
}
