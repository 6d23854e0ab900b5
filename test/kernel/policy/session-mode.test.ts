import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { createSessionMode } from "../../../src/kernel/policy/session-mode.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../support/open-test-session.ts";

test("a mode is never wider than any of its bounds, which may change", () => {
  let bounds: readonly ("readonly" | "ask" | "edit" | "auto" | undefined)[] = [undefined, "edit"];
  const mode = createSessionMode("auto", () => bounds);
  expect(mode.current).toBe("edit");
  bounds = ["ask", "edit"];
  expect(mode.current).toBe("ask");
  bounds = [];
  expect(mode.current).toBe("auto");
  mode.choose("readonly");
  expect(mode.current).toBe("readonly");
});

test("a session's mode changes what its calls may do and which tools are offered, is recorded, and bound by policy files", async () => {
  const places = testPolicyPlaces(await temporaryFolder());
  await mkdir(dirname(places.user), { recursive: true });
  await writeFile(places.user, JSON.stringify({ maxMode: "edit" }));
  const { session } = await openTestSession({ dialect: "canonical" }, { mode: "readonly" }, places);
  const write = async () => (await session.call("file_write", { path: "a", content: "x" })).status;
  const offered = () => session.activeTools().some(({ name }) => name === "file_write");
  expect([await write(), offered()]).toEqual(["denied", false]);
  expect(await session.setMode("auto", { by: "tester" })).toBe("edit");
  expect([session.mode, await write(), offered()]).toEqual(["edit", "done", true]);
  await expect(session.setMode("root" as "auto")).rejects.toThrow("mode must be one of");
  for await (const event of session.events()) {
    if (event.type !== "mode-change") continue;
    expect(event).toMatchObject({ mode: "edit", changedBy: "tester" });
    break;
  }
});

test("a sub-agent that already works is narrowed with its parent", async () => {
  const { runtime, session } = await openTestSession({ dialect: "canonical" }, { mode: "edit" });
  const parent = scriptedModel([
    { calls: [{ name: "agent_run", input: { prompt: "Write." } }] },
    { text: "Done." },
  ]);
  const child = scriptedModel(async (_request, step) => {
    if (step === 2) await session.setMode("readonly");
    if (step > 2) return { text: "Done." };
    return { calls: [{ name: "file_write", input: { path: `${step}`, content: "x" } }] };
  });
  let made = 0;
  const wrapModel = (model: typeof parent) => {
    made += 1;
    return made === 1 ? model : child;
  };
  await runtime.agent({ model: parent, session, wrapModel }).run("go");
  const written = (await runtime.receipts()).filter(({ tool }) => tool === "file_write");
  expect(written.map(({ status }) => status)).toEqual(["denied", "done"]);
});
