import { expect, test } from "vitest";
import { startGuest } from "../../../../src/capabilities/made/guest/guest-process.ts";
import type { ToolError } from "../../../../src/tool/tool-error.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";
import { bashGuest, someTool } from "./bash-guest.ts";

const limits = { maxOutputBytes: 50_000, maxUses: 5 };

/** Calls a tool whose process does this; gives its answer, or how the call failed. */
async function callGuest(script: string, timeoutMs = 10_000) {
  const used: string[] = [];
  const guest = await startGuest(someTool, bashGuest(`read -r _ <&3\n${script}`, limits));
  const use = async (name: string) => {
    used.push(name);
    return "answer";
  };
  const outcome = await guest.call({}, { signal: AbortSignal.timeout(timeoutMs), use }).then(
    (value) => ({ value }),
    ({ code, message }: ToolError) => ({ failure: `${code} ${message}` }),
  );
  await guest.end();
  return { ...outcome, used, isUsable: guest.isUsable };
}

const say = (...lines: string[]) => `cat <<'END' >&3\n${lines.join("\n")}\nEND\nexec sleep 20`;

test.each([
  ["dies", "kill -ABRT $$", /^tool-failed the tool's process ended: SIGABRT/],
  ["leaves without an answer", "exit 0", /^tool-failed the tool's process ended: exit code 0/],
  ["never answers", "exec sleep 20", /^timed-out /],
  ["floods us with a line", "yes x | tr -d '\\n' >&3", /^tool-failed .*more than 49 kB of output/],
  ["floods us with lines", `yes '{"ask":1,"name":"files.readText","given":[]}' >&3`, /no tool sends/],
])("a process that %s fails its call and is ended", async (_does, script, failure) => {
  const { isUsable, ...outcome } = await callGuest(script, script === "exec sleep 20" ? 100 : 10_000);
  expect({ isUsable, ...outcome }).toMatchObject({
    isUsable: false,
    failure: expect.stringMatching(failure),
  });
});

test("an answer never reaches an object's prototype", async () => {
  const { value } = (await callGuest(
    say(
      '{"answer":2,"value":{"__proto__":{"polluted":true},"\\u005f_proto__":1,"constructor":{"prototype":{}}}}',
    ),
  )) as { value: object };
  expect(Object.keys(value)).toEqual(["constructor"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const forged = [
  ...["not json", "[]", "null", "1", '"text"', "{}", '{"ask":1}', '{"answer":77}', '{"answer":"2"}'],
  ...[
    '{"ask":1,"name":{},"given":[]}',
    '{"ask":1,"name":"x","given":{}}',
    '{"ask":"1","name":"x","given":[]}',
  ],
  // Whatever walks through it would run out of stack.
  `{"answer":2,"value":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  ...[
    '{"ready":true}',
    '{"tell":"x"}',
    '{"withdraw":1}',
    '{"answer":1,"value":2}',
    '{"__proto__":{"answer":2}}',
  ],
];

const isHarmless = ({ failure, used }: Awaited<ReturnType<typeof callGuest>> & { failure?: string }) =>
  failure?.includes("no tool sends") === true && used.length === 0;

test("a process that sends forged messages is ended, and the messages do nothing", async () => {
  for (const message of forged) {
    expect([message, isHarmless(await callGuest(say(message)))]).toEqual([message, true]);
  }
  await fc.assert(
    fc.asyncProperty(fc.json(), async (message) => isHarmless(await callGuest(say(message)))),
    { numRuns: fuzzRuns({ sample: 10, full: 500 }) },
  );
});

test("messages after the answer belong to no call", async () => {
  const late = '{"ask":1,"name":"files.readText","given":[]}';
  const guest = await startGuest(
    someTool,
    bashGuest(`read -r _ <&3\n${say('{"answer":2,"value":1}', late)}`, limits),
  );
  const used: string[] = [];
  const use = async (name: string) => void used.push(name);
  expect(await guest.call({}, { signal: AbortSignal.timeout(10_000), use })).toBe(1);
  await expect(guest.call({}, { signal: AbortSignal.timeout(10_000), use })).rejects.toThrow("no tool sends");
  expect(used).toEqual([]);
});
