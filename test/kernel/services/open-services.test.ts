import { expect, test } from "vitest";
import { services } from "../../../src/capabilities.ts";
import { closeServices } from "../../../src/kernel/services/open-services.ts";
import { openTestSession } from "../../support/open-test-session.ts";

test("all services are closed even if one fails, and the failure is reported", async () => {
  const closed: string[] = [];
  const opened = Object.fromEntries(
    Object.keys(services).map((name) => [
      name,
      {
        forCall: () => ({}),
        async close() {
          closed.push(name);
          if (name === "processes") throw new Error("it does not close");
        },
      },
    ]),
  );
  await expect(closeServices(opened)).rejects.toThrow("it does not close");
  expect(closed).toEqual(Object.keys(services).toReversed());
});

test.each(["sandbox", "workspace", "store", "log"])("a session has no option %s", async (name) => {
  const { runtime } = await openTestSession();
  await expect(runtime.openSession({ id: "odd", [name]: "none" })).rejects.toThrow(
    `openSession: ${name} is not`,
  );
});

test("a session can be written down, and its jobs spread, like any object", async () => {
  const { session } = await openTestSession();
  expect(() => JSON.stringify(session)).not.toThrow();
  const { list } = { ...session.jobs };
  expect(await list()).toEqual([]);
});
