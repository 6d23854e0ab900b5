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
  const importing = (changed: readonly string[]) =>
    importLog({ store: other, workspace: "/" }, toAsync(changed));
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
    // Nothing of these has been checked, and their keys would be those of another log.
    [[...lines, lines[1]!.replace('"sequence":1,', '"sequence":5,')], "there are events after its end"],
    [
      [...lines, lines[1]!.replace('"sequence":1,', '"sequence":-4294967200,')],
      "there are events after its end",
    ],
  ] as const) {
    await expect(importing(changed)).rejects.toThrow(/./);
    await importing(changed).catch(({ message }: Error) => expect(message).toContain(reason));
  }
  expect(await other.listSessions()).toEqual([]);
  expect(await importing(lines)).toEqual({ id: "one", events: 4 });
  await expect(importing(lines)).rejects.toThrow('there is a session "one" already');
});

test.each(["../../../elsewhere", "/etc", "..", "", "a/b", "session #1"])(
  "a session whose id could be a path elsewhere is not imported (%j)",
  async (id) => {
    const { store } = await openTemporaryStore();
    // The store itself takes any id; whoever writes an export by hand can make its chain right.
    await store.openSession({ id, workspace: "/" });
    await store.append(id, { events: [custom("first")] });
    const lines: string[] = [];
    for await (const line of exportLog(store, id)) lines.push(line);
    const { store: other } = await openTemporaryStore();
    await expect(importLog({ store: other, workspace: "/" }, toAsync(lines))).rejects.toThrow(
      "a session's id must be",
    );
    expect(await other.listSessions()).toEqual([]);
  },
);

async function* toAsync(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
