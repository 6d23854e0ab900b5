import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { defineTool, type LoggedEvent, openRuntime } from "../../../src/index.ts";
import { startChild } from "../../kernel/store/child.ts";
import { startModelServer } from "../../support/model-server/start-model-server.ts";
import { until } from "../../support/until.ts";
import { createPlace, type Place } from "../open-temporary-runtime.ts";
import { sessionTools } from "../session-tools.ts";

const script = new URL("child-agent.ts", import.meta.url);

const others = sessionTools.filter(({ name }) => name !== "look");

const lookElsewhere = defineTool({
  name: "look_elsewhere",
  aliases: ["look"],
  description: "Took over the name of another tool.",
  params: {},
  traits: { readOnly: true, idempotent: true },
  run: () => expect.fail("this call was not for this tool"),
});

test("K39: a call that is made again after a crash keeps the agent's limits, what had timed out and what was for another tool is not, and undo takes back both attempts", async () => {
  const place = await createPlace();
  const [hang, put] = ["hang", "put.txt"].map((name) => join(place.workspace, name));
  await writeFile(hang!, "");
  await writeFile(put!, "before\n");
  await killDuring(place, ["put_down", "stop_slowly", "look"], (events) => {
    const types = new Set(events.map(({ type }) => type));
    const starts = events.filter(({ type }) => type === "call-start");
    return types.has("custom") && types.has("call-stop") && starts.length === 3;
  });
  await rm(hang!);

  const runtime = await openRuntime({
    workspace: place.workspace,
    store: place.store,
    tools: [...others, lookElsewhere],
    permissions: { mode: "auto" },
  });
  let prompt = "";
  const model = scriptedModel((request) => {
    prompt = JSON.stringify(request.prompt);
    return { text: "Here again." };
  });
  const limits = { toolTimeoutMs: 7000, contextTokens: 12_000 };
  const agent = runtime.agent({ model, session: { id: "shared" }, ...limits });
  expect(await agent.run()).toMatchObject({ text: "Here again." });

  const receipts = await runtime.receipts({ sessionId: "shared" });
  const endsOf = (tool: string) =>
    receipts.filter((receipt) => receipt.tool === tool).map(({ status, code }) => code ?? status);
  expect(endsOf("put_down")).toEqual(["done", "unknown-outcome"]);
  expect(endsOf("stop_slowly")).toEqual(["timed-out"]);
  expect(endsOf("look")).toEqual(["unknown-outcome"]);
  expect(endsOf("look_elsewhere")).toEqual([]);
  const session = await agent.session();
  const seconds: unknown[] = [];
  for await (const event of session.events()) {
    if (event.type === "custom") seconds.push(event.data);
    if (event.type === "agent-end") break;
  }
  expect(seconds).toEqual([{ seconds: 60 }, { seconds: 7 }]);
  expect(prompt).toContain("stop_slowly had timed out, and was still running when its process ended");
  expect(prompt.match(/x+/g)!.reduce((sum, part) => sum + part.length, 0)).toBeLessThan(19_000);

  const { callId } = receipts.find(({ tool }) => tool === "put_down")!;
  expect(await session.undo(callId)).toMatchObject({ status: "done" });
  expect(await readFile(put!, "utf8")).toBe("before\n");
  expect((await runtime.verify("shared"))[0]!.broken).toBeUndefined();
  await runtime.close();
}, 30_000);

/** Lets an agent in another process make the calls, and kills it when its log says so. */
async function killDuring(
  place: Place,
  names: readonly string[],
  isTime: (events: readonly LoggedEvent[]) => boolean,
): Promise<void> {
  const calls = names.map((name) => ({ name, input: {} }));
  const server = await startModelServer([{ text: "At once.", calls }]);
  const child = startChild(script, [place.workspace, place.store, server.url]);
  const watching = await place.open();
  const watched = () => watching.remoteSession("shared").catch(() => undefined);
  await until(async () => (await watched()) !== undefined);
  const events: LoggedEvent[] = [];
  for await (const event of (await watched())!.events()) {
    events.push(event);
    if (isTime(events)) break;
  }
  await child.kill();
  await watching.close();
}
