import { expect, test } from "vitest";
import * as main from "../../src/index.ts";
import * as testing from "../../src/testing/index.ts";
import * as tool from "../../src/tool/index.ts";

// Users rely on these names: taking one away is a breaking change, adding one is a promise.

test("toolwright exports what it promises and nothing else", () => {
  expect(Object.keys(main).sort()).toEqual([
    "ModelError",
    "SchemaError",
    "ToolError",
    "createCallAssembler",
    "createEkoMessages",
    "createFlytoEvents",
    "createKodeEvents",
    "defineTool",
    "defineTools",
    "errorCodes",
    "formatServerSentEvent",
    "openRuntime",
    "parsePartialJson",
    "readMcpServers",
    "scriptedModel",
    "serverSentEvents",
  ]);
});

test("toolwright/tool exports what it promises and nothing else", () => {
  expect(Object.keys(tool).sort()).toEqual([
    "SchemaError",
    "ToolError",
    "defineTool",
    "defineTools",
    "errorCodes",
  ]);
});

test("toolwright/testing exports what it promises and nothing else", () => {
  expect(Object.keys(testing).sort()).toEqual(["createTestContext", "runTool"]);
});
