import { expect, test } from "vitest";
import { startChild } from "../../kernel/store/child.ts";
import { until } from "../../support/until.ts";
import { createPlace } from "../open-temporary-runtime.ts";

const script = new URL("child-waits.ts", import.meta.url);

test("a program that waits for nothing but an answer from another process stays alive until it comes", async () => {
  for (const [job, answer] of [
    ["approval", "done"],
    ["question", "yes"],
  ] as const) {
    const place = await createPlace();
    const child = startChild(script, [place.workspace, place.store, job]);
    const runtime = await place.open();
    await until(async () => (await runtime.approvals.list()).length > 0);
    const [{ id } = { id: "" }] = await runtime.approvals.list();
    if (job === "approval") await runtime.approvals.decide(id, "allow");
    else await runtime.approvals.answer(id, "yes");
    expect(await child.rest()).toEqual([answer]);
  }
});

test("a program that follows nothing but what another process writes stays alive for it", async () => {
  const place = await createPlace();
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "owned" });
  for (const [job, told] of [
    ["events", "call-start"],
    ["watch", "owned"],
  ] as const) {
    const child = startChild(script, [place.workspace, place.store, job]);
    expect(await child.nextLine()).toBe("following");
    await session.call("note_down", { text: "x" });
    expect(await child.rest()).toEqual([told]);
  }
});
