import { expect, test, vi } from "vitest";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";
import { patientStep } from "./patient-step.ts";

test("of two that have the session open, only one tells how an agent ended, and both know", async () => {
  const { open } = await createPlace();
  const [one, other] = [await open(), await open()];
  const child = patientStep();
  const { model, requests } = familyModel({
    CHILD: [child.step],
    PARENT: [calling("Agent", { prompt: "CHILD, look", mode: "background" }), { text: "I know." }],
  });
  const session = await one.openSession({ id: "shared" });
  await one.agent({ model, session, maxSteps: 1 }).run("PARENT, go");
  const seen = await other.openSession({ id: "shared" });
  expect(await seen.tasks.background()).toMatchObject([{ kind: "agent", status: "in_progress" }]);
  child.end();
  await vi.waitUntil(async () => (await seen.tasks.background())[0]!.status === "done", { timeout: 45_000 });

  const told = familyModel({ PARENT: [{ text: "I am told." }] });
  await other.agent({ model: told.model, session: seen }).run("What now?");
  await one.agent({ model, session }).run("And now?");
  for (const asked of [told.requests.PARENT![0]!, requests.PARENT![1]!])
    expect(JSON.stringify(asked.prompt).split("I have looked.")).toHaveLength(2);
});
