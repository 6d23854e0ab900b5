import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openRuntime } from "../../../src/index.ts";
import { seededRandom } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { pass } from "../../support/pass.ts";
import { makeFolder, putFiles, removeFolder } from "../../support/temporary-folder.ts";

const testInside = await needs("bubblewrap");

testInside("commands run beside work that moves folders which the sandbox protects", async () => {
  const workspace = makeFolder();
  onTestFinished(() => removeFolder(workspace));
  await putFiles(workspace, { "p/q/.husky/pre-commit": "mine", "p/r/.npmrc": "mine" });
  const runtime = await openRuntime({
    ...{ workspace, store: "memory:", sandbox: "required" },
    permissions: { mode: "auto" },
  });
  onTestFinished(() => runtime.close());
  const session = await runtime.openSession({});
  const random = seededRandom();
  const places = [join(workspace, "p"), join(workspace, "z")] as const;
  const outcomes: unknown[] = [];
  for (let count = 0; count < 15; count++) {
    const [from, to] = count % 2 === 0 ? places : places.toReversed();
    const calling = session.call("shell_run", { command: `echo ${count} >> out.txt` });
    // Once for each command, at any moment of its start.
    await pass(random() * 40);
    await rename(from!, to!);
    const { status, data } = await calling;
    outcomes.push(status === "done" ? (data as { exitCode: number }).exitCode : status);
  }
  expect(outcomes).toEqual(outcomes.map(() => 0));
});
