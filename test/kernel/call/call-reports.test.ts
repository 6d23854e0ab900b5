import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { programFile } from "../../support/programs/program-file.ts";

const run = promisify(execFile);
const program = programFile(new URL("child-flood-reports.ts", import.meta.url));

test.each(["memory", "sqlite"])(
  "a tool that reports a million times without waiting neither blocks nor fills the memory, with the %s store",
  async (kind) => {
    const folder = await temporaryFolder();
    const store = kind === "memory" ? "memory:" : `sqlite:${join(folder, "store.sqlite")}`;
    const count = fuzzRuns({ sample: 50_000, full: 1_000_000 });
    const words = ["--max-old-space-size=48", program, folder, store, String(count)];
    const { stdout } = await run(process.execPath, words, {
      env: { ...process.env, XDG_STATE_HOME: folder },
    });
    const { status, counts, leftOut, last, broken } = JSON.parse(stdout);
    expect(status).toBe("done");
    expect(counts.custom).toBeLessThan(2000);
    expect(counts.custom + counts["call-progress"] + counts.log - 1 + leftOut).toBe(3 * count);
    expect(last).toEqual({ progress: count, total: count });
    expect(broken).toBeUndefined();
  },
);

test("a tool that waits now and then is heard in full", async () => {
  const chatty = defineTool({
    name: "chatty",
    description: "Reports",
    params: {},
    traits: { readOnly: true },
    async run(_input, { emit }) {
      for (let number = 0; number < 3000; number++) {
        emit("tick", number);
        if (number % 500 === 0) await null;
      }
      return "done";
    },
  });
  const { session } = await openTestSession({ tools: [chatty] });
  await session.call("chatty");
  await session.close();
  let ticks = 0;
  for await (const event of session.events()) if (event.type === "custom") ticks += 1;
  expect(ticks).toBe(3000);
});
