import { expect, test } from "vitest";
import { awaitedCpuMs } from "../../support/cpu-ms.ts";
import { giantBodies, send } from "./raw-request.ts";
import { serveForTest } from "./serve-for-test.ts";

test.each(giantBodies)("a body of %s is refused in less time than reading it takes", async (_what, body) => {
  const server = await serveForTest();
  const cpu = await awaitedCpuMs(async () => expect((await send(server, { body })).status).toBe(413));
  // Far more than it takes, and far less than reading it would.
  expect(cpu).toBeLessThan(1000);
});
