import { readdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createGuestPool, type PooledCall } from "../../../src/runtime/made/guest/guest-pool.ts";
import { guestFiles } from "../../../src/runtime/made/guest/guest-process.ts";
import { usualLimits } from "../../../src/runtime/made/made-limits.ts";
import type { MadeLanguage, MadeTool } from "../../../src/runtime/made/made-tool.ts";
import { openBareSandbox } from "../../../src/runtime/sandbox/open-bare-sandbox.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

const sandbox = openBareSandbox(guestFiles());
const limits = {
  ...usualLimits,
  maxMemoryBytes: 120 * 2 ** 20,
  maxProcesses: 12,
  maxOutputBytes: 50_000,
  maxUses: 5,
};
const pool = createGuestPool(async () => ({ sandbox: await sandbox, limits }));
afterAll(pool.close);

function toolOf(code: string, language: MadeLanguage = "javascript"): MadeTool {
  const permissions = language === "shell" ? [] : ["files.readText"];
  return {
    name: "hostile",
    description: "x",
    input: { type: "object" },
    language,
    code,
    permissions,
    examples: [],
  };
}

const used: string[] = [];
const callOf = (timeoutMs = 5000): PooledCall => ({
  sessionId: "s",
  signal: AbortSignal.timeout(timeoutMs),
  use: async (name) => {
    used.push(name);
    return "answer";
  },
});

const running = (code: string, language?: MadeLanguage, timeoutMs?: number) =>
  pool.run(toolOf(code, language), {}, callOf(timeoutMs));

test("a module sees no file, no environment, no network, and starts no program", async () => {
  const secret = join(await temporaryFolder(), "secret.txt");
  await writeFile(secret, "secret");
  const attempts = [
    `(await import("node:fs")).readFileSync(${JSON.stringify(secret)}, "utf8")`,
    `(await import("node:fs")).writeFileSync("/tmp/x", "x")`,
    `(await import("node:child_process")).execSync("id").toString()`,
    `new (await import("node:worker_threads")).Worker("0", { eval: true }).threadId`,
    `(await fetch("http://127.0.0.1:1")).status`,
    `(await import("node:dns/promises")).lookup("example.com")`,
    `process.binding("fs")`,
    `process.dlopen({ exports: {} }, "/lib/x.so")`,
  ];
  const code = `const attempts = [${attempts.map((each) => `async () => ${each}`).join(", ")}];
export default async () => ({
  environment: Object.keys(process.env).sort(),
  got: (await Promise.all(attempts.map((each) => each().then((value) => [value], () => "refused")))),
});`;
  expect(await running(code)).toEqual({
    environment: ["LANG", "PATH", "PWD", "SHLVL"],
    got: attempts.map(() => "refused"),
  });
});

test("a script sees the system's programs and nothing of the user, and can write nowhere", async () => {
  const outside = await temporaryFolder();
  const code = `
for place in ${outside} ${homedir()}/.config ${process.cwd()}/package.json; do [ -e "$place" ] && echo "sees $place"; done
for place in / /tmp /dev/shm /var/tmp /dev "$HOME" ${outside}; do (echo x > "$place/made") 2>/dev/null && echo "writes $place"; done
(exec 3<>/dev/tcp/127.0.0.1/22) 2>/dev/null && echo "connects"
env | cut -d= -f1 | sort | tr '\\n' ' '`;
  expect(await running(code, "shell")).toBe("LANG PATH PWD SHLVL _ ");
  expect(await readdir(outside)).toEqual([]);
});

test.each([
  ["an endless loop", "export default () => { for (;;); };", "javascript", "timed-out"],
  ["a promise that never settles", "export default () => new Promise(() => {});", "javascript", "timed-out"],
  [
    "a memory bomb",
    "export default () => { const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1)); };",
    "javascript",
    "memory|exit code|SIG",
  ],
  ["a crash", "export default () => process.abort();", "javascript", "process ended"],
  ["a flood of output", "export default () => 'x'.repeat(100_000);", "javascript", "output"],
  [
    "a flood of uses",
    "export default async (_, { files }) => { for (;;) await files.readText('a'); };",
    "javascript",
    "no tool sends",
  ],
  ["a fork bomb", "f() { f | f & }; f; sleep 20", "shell", "processes|exit code"],
  [
    "a script's memory bomb",
    "x=$(head -c 30000000 /dev/zero | tr '\\0' x); y=$x$x$x$x; echo $y | wc -c",
    "shell",
    "memory|exit code",
  ],
  ["a script's flood", "yes", "shell", "output"],
  [
    "a script that hangs, with children that ignore its end",
    "(trap '' TERM HUP; sleep 20) & sleep 20",
    "shell",
    "timed-out",
  ],
] as const)(
  "%s ends the tool and nothing else",
  async (_name, code, language, expected) => {
    const failure = await running(code, language, expected === "timed-out" ? 600 : 10_000).catch(
      (error: Error & { code: string }) => error,
    );
    const { code: errorCode, message } = failure as Error & { code: string };
    expect(`${errorCode} ${message}`).toMatch(new RegExp(expected));
  },
  15_000,
);

test("messages that a tool forges reach nothing but what it was given, and never an object's prototype", async () => {
  used.length = 0;
  const forging = (messages: readonly string[]) => `
import { writeSync } from "node:fs";
export default async () => {
  for (const message of ${JSON.stringify(messages)}) writeSync(3, message + "\\n");
  await new Promise(() => {});
};`;
  const value = await running(
    forging(['{"result":1,"value":{"__proto__":{"polluted":true},"\\u005f_proto__":1}}']),
  );
  expect(Object.keys(value as object)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  for (const message of ["not json", "[]", '{"use":1}', '{"result":77}', '{"use":1,"name":{},"given":[]}']) {
    await expect(running(forging([message]))).rejects.toThrow("no tool sends");
  }
  expect(used).toEqual([]);
});

test("a process is kept for the same tool in the same session, and for nobody else", async () => {
  const tool = toolOf("let calls = 0; export default () => ++calls;");
  const call = (sessionId: string) => pool.run(tool, {}, { ...callOf(), sessionId });
  expect([await call("one"), await call("one"), await call("two"), await call("one")]).toEqual([1, 2, 1, 3]);
  await pool.forget("one");
  expect(await call("one")).toBe(1);
});
