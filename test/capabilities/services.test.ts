import { expect, test } from "vitest";
import { closeServices, type OpenedServices, serviceNames } from "../../src/capabilities/services.ts";
import { openTestSession } from "../support/open-test-session.ts";

test("all services are closed even if one fails, and the failure is reported", async () => {
  const closed: string[] = [];
  const opened = Object.fromEntries(
    serviceNames.map((name) => [
      name,
      {
        forCall: () => ({}),
        async close() {
          closed.push(name);
          if (name === "processes") throw new Error("it does not close");
        },
      },
    ]),
  ) as unknown as OpenedServices;
  await expect(closeServices(opened)).rejects.toThrow("it does not close");
  expect(closed).toEqual(serviceNames.toReversed());
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
