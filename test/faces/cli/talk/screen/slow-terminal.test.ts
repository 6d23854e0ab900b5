import { expect, test } from "vitest";
import { until } from "../../../../support/until.ts";
import { openTestTalk } from "../open-test-talk.ts";
import { openTestScreen } from "./open-test-screen.ts";

/** A terminal that has taken nothing more until the test says so. */
function createSlowPace() {
  let taken = 0;
  let waiting = Promise.withResolvers<void>();
  let written = () => 0;
  return {
    follow(count: () => number) {
      written = count;
    },
    pending: () => written() - taken,
    take() {
      taken = written();
      waiting.resolve();
      waiting = Promise.withResolvers();
    },
    whenReady: () => (written() > taken ? waiting.promise : undefined),
  };
}

async function openSlow() {
  const pace = createSlowPace();
  const opened = await openTestScreen({ pace });
  pace.follow(opened.written);
  const words = Array.from({ length: 3000 }, (_, line) => `Line ${line} of a long answer.`).join("\n\n");
  const { talk } = await openTestTalk([{ text: `${words}\n\nTHE END` }, { text: "Second." }], {
    view: opened.screen,
  });
  opened.screen.attach(talk);
  /** Lets it take what is there, again and again; the most that it was given at once. */
  const takeUntil = async (isThere: () => boolean) => {
    let most = 0;
    await until(() => {
      most = Math.max(most, pace.pending());
      pace.take();
      return isThere();
    });
    return most;
  };
  return { ...opened, pace, talk, takeUntil };
}

test("a slow terminal gets a long answer in small frames, a key is shown with the next one, and the end arrives", async () => {
  const { takeUntil, all, visible, type, press } = await openSlow();
  await takeUntil(() => visible().includes("context left"));
  type("go");
  press("\r");
  const most = await takeUntil(() => /Line \d+ of/.test(all()));
  type("key");
  const keyed = await takeUntil(() => visible().includes("\nkey\n"));
  expect(all()).not.toContain("THE END");
  const rest = await takeUntil(() => all().includes("THE END"));
  expect(Math.max(most, keyed, rest)).toBeLessThan(32_000);
  for (const line of [0, 1500, 2999]) expect(all()).toContain(`Line ${line} of a long answer.`);
});

test("a slow terminal is given no words from before an interruption after it", async () => {
  const { takeUntil, pace, talk, all, visible, type, press } = await openSlow();
  await takeUntil(() => visible().includes("context left"));
  type("go");
  press("\r");
  await takeUntil(() => /Line \d+ of/.test(all()));
  // The model is done long before the terminal.
  const last = () => talk.session.bookmark();
  let end = await last();
  await until(async () => {
    const before = end;
    end = await last();
    return end === before;
  });
  press("\u001b");
  await takeUntil(() => all().includes("what it wrote meanwhile is in the log"));
  await takeUntil(() => !talk.isWorking);
  expect(all()).not.toContain("THE END");
  expect(pace.pending()).toBeLessThan(32_000);
  type("again");
  press("\r");
  await takeUntil(() => all().includes("Second."));
});
