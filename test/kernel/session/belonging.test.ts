import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRuntime } from "../../../src/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("a budget is not filled up by opening the session again, unless freshBudget is given", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const workspace = await temporaryFolder();
  const open = async (more: object = {}) => {
    const runtime = await openRuntime({ workspace, store, budget: { calls: 2 } });
    const session = await runtime.openSession({ id: "spender", ...more });
    const { status } = await session.call("file_list", { path: "." });
    const { calls } = session.budget.used;
    await runtime.close();
    return [status, calls];
  };
  expect([await open(), await open(), await open()]).toEqual([
    ["done", 1],
    ["done", 2],
    ["failed", 2],
  ]);
  expect(await open({ freshBudget: true })).toEqual(["done", 1]);
  expect(await open()).toEqual(["done", 2]);
});

test("a session cannot be resumed in another workspace, and stays as it is", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const one = await openRuntime({ workspace: await temporaryFolder(), store });
  const other = await openRuntime({ workspace: await temporaryFolder(), store });
  onTestFinished(() => one.close());
  onTestFinished(() => other.close());
  await (await one.openSession({ id: "mine" })).close();
  const [before] = await one.sessions();
  await expect(other.openSession({ id: "mine" })).rejects.toThrow(
    `session mine belongs to the workspace ${one.workspace}; open it there, or use another id`,
  );
  expect(await one.sessions()).toEqual([before]);
  expect((await one.openSession({ id: "mine" })).resumed).toBe(true);
});
