import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { ChildCrashed, createChildPrograms } from "../../../src/machine/child/child-programs.ts";
import { until } from "../../support/until.ts";

interface Answer {
  readonly pid: number;
  readonly environment: readonly string[];
}

const fileOf = (name: string) => new URL(name, import.meta.url).pathname;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a process is kept for the next task, and replaced after it crashed or was stopped", async () => {
  const programs = createChildPrograms<{ do: string }, Answer>(() => fileOf("working-child.ts"));
  onTestFinished(() => programs.close());
  const { signal } = new AbortController();
  const first = await programs.ask({ do: "answer" }, { signal });
  expect(first.environment).toEqual([]);
  expect((await programs.ask({ do: "answer" }, { signal })).pid).toBe(first.pid);
  await expect(programs.ask({ do: "die" }, { signal })).rejects.toThrow(ChildCrashed);
  const second = await programs.ask({ do: "answer" }, { signal });
  const caller = new AbortController();
  const blocked = programs.ask({ do: "block" }, { signal: caller.signal });
  caller.abort(new Error("enough"));
  await expect(blocked).rejects.toThrow("enough");
  expect([first.pid, second.pid].filter(isAlive)).toEqual([]);
  const third = await programs.ask({ do: "answer" }, { signal });
  await programs.close();
  expect(isAlive(third.pid)).toBe(false);
});

test("a process whose parent was killed ends, even if its thread is busy for ever", async () => {
  const parent = spawn(process.execPath, [fileOf("asking-parent.ts")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line).trim());
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await until(() => !isAlive(pid));
});
