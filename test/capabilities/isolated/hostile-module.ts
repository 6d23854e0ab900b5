import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { defineTool } from "../../../src/tool/index.ts";

/** What a handler may do to the process that it runs in. */
const deeds: Readonly<Record<string, () => unknown>> = {
  "loop for ever"() {
    for (;;);
  },
  "never settle": () => new Promise(() => {}),
  async "throw in a timer"() {
    setTimeout(() => {
      throw new Error("thrown in a timer");
    }, 1);
    await new Promise(() => {});
  },
  "exit the process": () => process.exit(0),
  "kill itself": () => process.kill(process.pid, "SIGKILL"),
  abort: () => process.abort(),
  "fill the heap"() {
    const kept: unknown[] = [];
    for (;;) kept.push(new Array(10_000).fill(kept.length));
  },
  async "fill memory with buffers"() {
    const kept: Buffer[] = [];
    for (;;) {
      kept.push(Buffer.alloc(2 ** 24, 1));
      await wait(1);
    }
  },
  async "forget a promise"() {
    void Promise.reject(new Error("forgotten"));
    await wait(5);
    return "answered";
  },
  async "start a process and never settle"() {
    const { pid } = spawn("sleep", ["600"]);
    console.log(`started ${pid}`);
    await new Promise(() => {});
  },
  "close the channel": () => process.disconnect(),
  "return a function": () => ({ nested: () => 1 }),
  "throw no error"() {
    throw null;
  },
};

export const hostile = defineTool({
  name: "hostile",
  description: "Do something to its own process.",
  params: { deed: { type: "string" } },
  traits: { readOnly: true, concurrencySafe: true, isolated: { module: import.meta.url, maxMemoryMb: 64 } },
  run: ({ deed }) => deeds[deed]!(),
});
