import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadMarkdown } from "../../../../../src/faces/cli/talk/screen/load-terminal-library.ts";
import { slashCommands } from "../../../../../src/faces/cli/talk/slash/slash-commands.ts";
import { createTalk } from "../../../../../src/faces/cli/talk/talk.ts";
import type { LoggedEvent } from "../../../../../src/index.ts";
import { calling } from "../../../../capabilities/agents/open-agent.ts";
import { spentCpuMs } from "../../../../support/cpu-ms.ts";
import { fuzzRuns } from "../../../../support/fuzz.ts";
import { until } from "../../../../support/until.ts";
import { openTestTalk } from "../open-test-talk.ts";
import { openTestScreen } from "./open-test-screen.ts";

/** A run with a message, some calls that change a file, and an answer: eight events. */
function* eventsOfRun(run: number): Generator<LoggedEvent> {
  const callId = `call-${run}`;
  const receipt = {
    tool: "file_edit",
    input: { path: "a.ts", old_string: `${run}`, new_string: `${run + 1}` },
    status: "done",
    durationMs: 3,
    effects: { reads: [], writes: ["/nowhere/a.ts"], runs: [], hosts: [] },
  };
  const text = `Edited a.ts.\n@@ -1,1 +1,1 @@\n-const one = ${run};\n+const one = ${run + 1};\n`;
  const events = [
    { type: "user-message", text: `change it, run ${run}` },
    { type: "agent-start", notes: [] },
    { type: "assistant-message", content: [{ type: "tool-call", callId }] },
    { type: "call-start", callId, tool: "file_edit", input: receipt.input },
    { type: "call-end", callId, receipt, text },
    { type: "text-delta", text: `## Run ${run}\n\nIt is **done**, in \`a.ts\`.\n\n- one\n- two\n` },
    { type: "assistant-message", content: [] },
    { type: "agent-end", reason: "done", text: "" },
  ];
  for (const event of events) yield event as unknown as LoggedEvent;
}

test("a key after 5,000 events costs as much as at the beginning, and only the rows on the screen are kept", async () => {
  const { screen, press, written, all } = await openTestScreen({ rows: 24 });
  const frame = async (act: () => void) => {
    const before = written();
    const started = spentCpuMs();
    act();
    await until(() => written() > before);
    return { bytes: written() - before, ms: spentCpuMs() - started };
  };
  const keys = async () => {
    const frames = [];
    for (let key = 0; key < 5; key += 1) frames.push(await frame(() => press("x")));
    press("\u0003");
    return {
      bytes: Math.max(...frames.map(({ bytes }) => bytes)),
      ms: Math.min(...frames.map(({ ms }) => ms)),
    };
  };
  const run = async (from: number, to: number) => {
    // As when a session is resumed: all of it before the next frame.
    await frame(() => {
      for (let each = from; each < to; each += 1) for (const event of eventsOfRun(each)) screen.show(event);
    });
  };
  await run(0, 10);
  const first = await keys();
  await run(10, 625);
  const last = await keys();
  expect(all()).toContain("run 624");
  expect(last.bytes).toBeLessThanOrEqual(first.bytes + 100);
  expect(last.ms).toBeLessThan(3 * first.ms + 3);
  expect(await countDrawn(() => frame(() => press("y")))).toBeLessThan(100);
});

/** How many answers the screen still holds: each frame draws all of them. */
async function countDrawn(act: () => Promise<unknown>): Promise<number> {
  const { prototype } = await loadMarkdown();
  const { render } = prototype;
  let drawn = 0;
  prototype.render = function (width) {
    drawn += 1;
    return render.call(this, width);
  };
  try {
    await act();
    return drawn;
  } finally {
    prototype.render = render;
  }
}

const events = fuzzRuns({ sample: 150, full: 5000 });

test(`a session of ${events} events is resumed with all of it in the scrollback, and goes on`, {
  timeout: 120_000,
}, async () => {
  const { talk, say } = await openTestTalk((_request, step) =>
    step % 5 === 0
      ? { text: `# Answer ${step}\n\nSome **words**.` }
      : calling("Read", { file_path: "a.txt" }),
  );
  await writeFile(join(talk.runtime.workspace, "a.txt"), "text");
  const { id } = talk.session;
  let messages = 0;
  while ((await talk.session.bookmark()) < events) {
    messages += 1;
    await say(`message ${messages}.`);
  }
  await say("/new");
  const { screen, all, shows, press, type } = await openTestScreen();
  const again = await createTalk({
    runtime: talk.runtime,
    view: screen,
    commands: slashCommands,
    agent: {},
    mode: "auto",
    dialect: undefined,
    session: { id },
    price: undefined,
  });
  screen.attach(again);
  await shows(`message ${messages}.`);
  for (let each = 1; each <= messages; each += 1) expect(all()).toContain(`❯ message ${each}.`);
  type("/cost");
  press("\r");
  await shows("tokens in");
  await again.close();
});
