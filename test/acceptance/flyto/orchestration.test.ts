import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { HookCall } from "../../../src/index.ts";
import { shareFlyto } from "./share-flyto.ts";

/** Notes who runs when; whoever comes to a meeting waits there until it is complete. */
const watch = createWatch();
const flyto = shareFlyto({ hooks: { beforeCall: watch.onStart, afterCall: watch.onEnd } });

test("F74: neighbours that may run beside others run together, ten at a time, and every other call runs alone", async () => {
  const paths = Array.from({ length: 20 }, (_, index) => `f74-${index}.txt`);
  await flyto.put(Object.fromEntries(paths.map((path) => [path, path])));
  const reads = paths.map((path) => ({ name: "Read", input: { file_path: flyto.at(path) } }));
  const write = { name: "Write", input: { file_path: flyto.at("f74.txt"), content: "" } };
  watch.begin({ meetings: { file_read: 10 } });
  const results = await flyto.session.callAll([...reads, write, write, ...reads.slice(0, 10)]);
  expect(results.map(({ status }) => status)).toEqual(Array(32).fill("done"));
  expect(results.map(({ text }) => text.trim().split("\t")[1])).toEqual([
    ...paths,
    undefined,
    undefined,
    ...paths.slice(0, 10),
  ]);
  expect(watch.most).toEqual({ file_read: 10, file_write: 1 });
});

test("F75: of Glob, Grep, Edit, Glob, Grep and Bash, each Glob runs with its Grep, then Edit alone, and Bash last", async () => {
  await flyto.put({ "f75.txt": "before\n" });
  const path = flyto.at("f75.txt");
  const uses = [
    ["Glob", { pattern: "f75.*" }],
    ["Grep", { pattern: "before|after", path }],
    ["Edit", { file_path: path, old_string: "before", new_string: "after" }],
    ["Glob", { pattern: "f75.*" }],
    ["Grep", { pattern: "before|after", path }],
    ["Bash", { command: "echo last >> f75.txt" }],
  ] as const;
  watch.begin({ meetings: { search: 2 } });
  const [answer] = await flyto.session.handle({
    role: "assistant",
    content: uses.map(([name, input], index) => ({
      type: "tool_use",
      id: `toolu_f75_${index}`,
      name,
      input,
    })),
  });
  expect(watch.log.join(" ").replaceAll(/search_\w+/g, "search")).toBe(
    [
      "search+ search+ search- search-",
      "file_edit+ file_edit-",
      "search+ search+ search- search-",
      "shell_run+ shell_run-",
    ].join(" "),
  );
  const { content } = answer as { content: { tool_use_id: string; content: unknown }[] };
  expect(content.map(({ tool_use_id }) => tool_use_id)).toEqual(uses.map((_, index) => `toolu_f75_${index}`));
  expect(JSON.stringify(content[1])).toContain(">>before<<");
  expect(JSON.stringify(content[4])).toContain(">>after<<");
  expect(await readFile(path, "utf8")).toBe("after\nlast\n");
});

function createWatch() {
  let log: string[] = [];
  let meetings: Readonly<Record<string, number>> = {};
  let most: Record<string, number> = {};
  let running: string[] = [];
  let present = 0;
  let meeting = Promise.withResolvers<void>();
  return {
    /** For each kind of tool, how many must have begun before any of them may go on. */
    begin(options: { meetings: Readonly<Record<string, number>> }): void {
      [log, most, running, present] = [[], {}, [], 0];
      meetings = options.meetings;
    },
    get log() {
      return log;
    },
    get most() {
      return most;
    },
    async onStart({ tool }: Pick<HookCall, "tool">): Promise<void> {
      log.push(`${tool}+`);
      running.push(tool);
      most[tool] = Math.max(most[tool] ?? 0, running.length);
      const size = Object.entries(meetings).find(([kind]) => tool.startsWith(kind))?.[1];
      if (size === undefined) return;
      present += 1;
      const { promise, resolve } = meeting;
      if (present === size) {
        [present, meeting] = [0, Promise.withResolvers<void>()];
        resolve();
      }
      await promise;
    },
    onEnd({ tool }: Pick<HookCall, "tool">): void {
      log.push(`${tool}-`);
      running.splice(running.indexOf(tool), 1);
    },
  };
}
