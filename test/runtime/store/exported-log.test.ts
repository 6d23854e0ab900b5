import { expect, test } from "vitest";
import { exportLog, importLog } from "../../../src/runtime/store/exported-log.ts";
import { callEnd, custom } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("of an export in which anything was changed, nothing is imported", async () => {
  const { store } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  for (const text of ["first", "second"])
    await store.append("one", { events: [custom(text), callEnd("one", text, text)] });
  const lines: string[] = [];
  for await (const line of exportLog(store, "one")) lines.push(line);
  const { store: other } = await openTemporaryStore();
  const importing = (changed: readonly string[]) => importLog(other, toAsync(changed));
  for (const [changed, reason] of [
    [lines.with(2, lines[2]!.replace("first", "third")), "the log is broken at event 2: one of the 2 events"],
    [lines.with(1, lines[1]!.replace("first", "third")), "the log is broken at event 2: one of the 2 events"],
    [lines.with(0, lines[0]!.replaceAll('"one"', '"two"')), "the log is broken at event 2"],
    [lines.slice(0, -1), "the log is broken at event 4: an event is missing at the end"],
    [lines.toSpliced(2, 1), "the log is broken at event 2: an event is missing"],
    [lines.with(1, "{}"), "line 2 is no event"],
    [lines.with(1, "nonsense"), "line 1 is no JSON object"],
    [["{}"], "it is not what `toolwright export` prints"],
    [[], "it is empty"],
  ] as const) {
    await expect(importing(changed)).rejects.toThrow(/./);
    await importing(changed).catch(({ message }: Error) => expect(message).toContain(reason));
  }
  expect(await other.listSessions()).toEqual([]);
  expect(await importing(lines)).toEqual({ id: "one", events: 4 });
  await expect(importing(lines)).rejects.toThrow('there is a session "one" already');
});

async function* toAsync(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
