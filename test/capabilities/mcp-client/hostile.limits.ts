import { expect, test } from "vitest";
import { openWithServers } from "./open-with-servers.ts";
import { type Definition, define, sampleServer } from "./sample-servers.ts";

async function openWith(definitions: readonly Definition[] | string) {
  const { options } = await sampleServer(definitions);
  const opened = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { sample: options },
  });
  const names = opened.runtime.tools.list().flatMap(({ name, layer }) => (layer === "mcp" ? name : []));
  const problems = opened.runtime.problems().map(({ subject, message }) => `${subject}: ${message}`);
  return { ...opened, names, problems };
}

const schemaOf = (properties: object) => ({ type: "object", properties });

test("expressions in schemas take no time, as they never run", async () => {
  const evil = { type: "string", pattern: "^(a+)+$" };
  const inputSchema = {
    ...schemaOf({ text: evil, pattern: { type: "string" } }),
    patternProperties: { "^(b+)+$": { type: "string" } },
    propertyNames: { pattern: "^(c+)+$" },
    additionalProperties: false,
    $defs: { evil },
  };
  const outputSchema = schemaOf({ answer: evil });
  const { session } = await openWith([define("match", { inputSchema }), define("add", { outputSchema })]);
  const startedAt = performance.now();
  const text = `${"a".repeat(50_000)}!`;
  expect((await session.call("mcp__sample__match", { text, pattern: "x", bbb: "y" })).status).toBe("done");
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
