import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { startChild } from "../store/child.ts";

test("a store that another process holds makes no caller wait longer than it said", async () => {
  const file = join(await temporaryFolder(), "store.sqlite");
  const count = defineTool({ name: "count", description: "Counts.", params: {}, run: () => "" });
  const { session } = await openTestSession({
    tools: [count],
    store: `sqlite:${file}`,
    permissions: { mode: "auto" },
  });
  const holder = startChild(new URL("../store/child-hold-lock.ts", import.meta.url), [file]);
  expect(await holder.nextLine()).toBe("locked");
  const startedMs = performance.now();
  const late = await session.call("count", {}, { timeoutMs: 200 });
  expect(performance.now() - startedMs).toBeLessThan(5000);
  expect(late.status).toBe("timed-out");
  holder.tell();
  await holder.rest();
});
