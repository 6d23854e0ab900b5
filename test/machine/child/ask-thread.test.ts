import { expect, test } from "vitest";
import { askThread } from "../../../src/machine/child/ask-thread.ts";

const file = new URL("thread-main.ts", import.meta.url).pathname;

function ask(
  task: string,
  { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const tooMuch = (limit: string) => new Error(`not done ${limit}`);
  return askThread(file, { do: task }, { timeoutMs, maxHeapMb: 64, signal, tooMuch });
}

test("a thread answers one task, without any variable of ours", async () => {
  expect(await ask("answer")).toEqual({ isMainThread: false, isOther: true, variables: [] });
});

test("an error of a thread's task is thrown if it is meant for a reader, and any other end names a limit", async () => {
  await expect(ask("refuse")).rejects.toMatchObject({
    code: "conflict",
    message: "refused",
    hint: "Do not.",
  });
  await expect(ask("fail")).rejects.toThrow("not done with 64 MB of memory");
  await expect(ask("grow")).rejects.toThrow("not done with 64 MB of memory");
});

test("a thread that never ends is ended on time, and when its caller gives up", async () => {
  await expect(ask("block", { timeoutMs: 200 })).rejects.toThrow("not done within 0.2 s");
  const caller = new AbortController();
  const blocked = ask("block", { signal: caller.signal });
  caller.abort(new Error("enough"));
  await expect(blocked).rejects.toThrow("enough");
  await expect(ask("answer", { signal: caller.signal })).rejects.toThrow("enough");
});
