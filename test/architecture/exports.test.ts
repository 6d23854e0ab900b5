import { expect, test } from "vitest";
import * as types from "../../dist/types.js";
import { readEntries } from "../../scripts/api/entries.ts";
import * as agent from "../../src/capabilities/agents/index.ts";
import * as interop from "../../src/capabilities/interop/index.ts";
import * as mcp from "../../src/capabilities/mcp-client/index.ts";
import * as main from "../../src/index.ts";
import * as eko from "../../src/systems/eko/index.ts";
import * as flyto from "../../src/systems/flyto/index.ts";
import * as internal from "../../src/systems/internal/index.ts";
import * as kode from "../../src/systems/kode/index.ts";
import * as pulse from "../../src/systems/pulse/index.ts";
import * as testing from "../../src/testing/index.ts";
import * as tool from "../../src/tool/index.ts";
import { projectFolder } from "./project-files.ts";

// Users rely on these names: taking one away is a breaking change, adding one is a promise.

const { entries, declarations } = await readEntries(projectFolder);
const namesOf = (entry: string) => [...(entries.find(({ name }) => name === entry)?.exported.keys() ?? [])];

test.each([
  [
    "toolwright",
    main,
    ["SchemaError", "ToolError", "defineTool", "defineTools", "errorCodes", "openRuntime"],
  ],
  ["toolwright/agent", agent, ["ModelError", "scriptedModel"]],
  [
    "toolwright/interop",
    interop,
    [
      "createCallAssembler",
      "createEkoMessages",
      "createFlytoEvents",
      "createKodeEvents",
      "formatServerSentEvent",
      "fromAiSdk",
      "fromLangChain",
      "fromOpenAiAgents",
      "parsePartialJson",
      "sendServerSentEvents",
      "serverSentEvents",
    ],
  ],
  ["toolwright/mcp", mcp, ["readMcpServers"]],
  ["toolwright/types", types, []],
  ["toolwright/tool", tool, ["SchemaError", "ToolError", "defineTool", "defineTools", "errorCodes"]],
  ["toolwright/testing", testing, ["createTestContext", "runTool"]],
  ["toolwright/eko", eko, ["Agent", "Eko", "default", "ekoTools"]],
  ["toolwright/flyto", flyto, ["Engine", "WorkdirFromContext", "flytoTools"]],
  ["toolwright/internal", internal, ["ToolsService"]],
  ["toolwright/pulse", pulse, ["Engine", "pulseHooks", "pulsePlugin", "pulseTools"]],
  [
    "toolwright/kode",
    kode,
    [
      "Agent",
      "AgentTemplateRegistry",
      "BashKill",
      "BashLogs",
      "BashRun",
      "FsEdit",
      "FsGlob",
      "FsGrep",
      "FsMultiEdit",
      "FsRead",
      "FsWrite",
      "TodoRead",
      "TodoWrite",
      "ToolKit",
      "ToolRegistry",
      "builtin",
      "defineTool",
      "defineTools",
      "extractTools",
      "kodeHooks",
      "kodeTools",
      "tool",
      "toolMethod",
      "tools",
    ],
  ],
])("%s exports the values it promises and no others", (entry, values, promised) => {
  expect(Object.keys(values).sort()).toEqual(promised);
  expect(namesOf(entry)).toEqual(expect.arrayContaining(promised));
});

test("the main entry has no more names than one can learn", () => {
  expect(namesOf("toolwright").length).toBeLessThanOrEqual(65);
});

test("every name is at home in one entry, and what authors of tools import is at home in those for all", () => {
  const homes = entries.filter(({ name }) => name !== "toolwright/tool");
  const doubles = homes.flatMap(({ name, exported }, index) =>
    [...exported.values()]
      .filter((each) => homes.slice(0, index).some((other) => [...other.exported.values()].includes(each)))
      .map((each) => `${each.name} in ${name}`),
  );
  expect(doubles).toEqual([]);
  const forAll = new Set([...namesOf("toolwright"), ...namesOf("toolwright/types")]);
  expect(namesOf("toolwright/tool").filter((name) => !forAll.has(name))).toEqual([]);
});

test("every type that a user can see can be imported", async () => {
  const offered = new Set(entries.flatMap(({ exported }) => [...exported.values()]));
  const seen = await declarations.reach(offered);
  const missing = [...seen].filter((each) => each.isType && !offered.has(each));
  expect(seen.size).toBeGreaterThan(200);
  expect(missing.map(({ name, file }) => `${name} of ${file}: export it`)).toEqual([]);
});
