import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPins } from "../../../../src/capabilities/mcp-client/approval/pins.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const seen = (text: string) => ({ text, hash: `hash of ${text}` });
const trusting = { trustsFirst: true };
const wary = { trustsFirst: false };

async function createPinFile() {
  return join(await temporaryFolder(), "state", "pins.json");
}

test("a pin approves the first definition where that is enough, and not one that differs from it", async () => {
  const pins = await openPins(await createPinFile());
  const tool = { server: "a", tool: "b" };
  expect(pins.judge(tool, seen("one"), trusting)).toBe("approved");
  expect(pins.judge(tool, seen("one"), trusting)).toBe("approved");
  expect(pins.judge(tool, seen("two"), trusting)).toBe("changed");
  expect(pins.judge({ server: "a" }, seen("launch"), wary)).toBe("unapproved");
  expect(pins.list().map(({ pending }) => pending?.text)).toEqual(["two", "launch"]);
});

test("a process that saw a server before the decision does not take the decision back", async () => {
  const file = await createPinFile();
  const [slow, quick] = [await openPins(file), await openPins(file)];
  for (const server of ["approved", "denied"]) {
    expect(slow.judge({ server }, seen("launch"), wary)).toBe("unapproved");
    quick.judge({ server }, seen("launch"), wary);
  }
  await quick.save();
  await quick.approve({ server: "approved" });
  await quick.deny({ server: "denied" });
  await slow.save();
  for (const pins of [slow, await openPins(file)]) {
    expect(pins.judge({ server: "approved" }, seen("launch"), wary)).toBe("approved");
    expect(pins.judge({ server: "denied" }, seen("launch"), wary)).toBe("denied");
    expect(pins.list().filter(({ pending }) => pending !== undefined)).toEqual([]);
  }
});

test("many who write at once lose nothing of each other's", async () => {
  const file = await createPinFile();
  const all = await Promise.all(Array.from({ length: 20 }, () => openPins(file)));
  await Promise.all(
    all.map(async (pins, index) => {
      pins.judge({ server: "same", tool: `tool ${index}` }, seen(`${index}`), trusting);
      await pins.save();
      pins.judge({ server: `server ${index}` }, seen(`${index}`), wary);
      await pins.save();
    }),
  );
  const pins = await openPins(file);
  expect(pins.list()).toHaveLength(40);
  expect(await readdir(join(file, ".."))).toEqual(["pins.json"]);
  await pins.approve({ server: "server 3" });
  const [first] = all;
  expect(await first?.reload()).toBe(true);
  expect(first?.get({ server: "server 3" })?.approved?.text).toBe("3");
  expect(await first?.reload()).toBe(false);
});

test("names such as those of every object's members are names like any other", async () => {
  const file = await createPinFile();
  const pins = await openPins(file);
  const subject = { server: "constructor", tool: "__proto__" };
  expect(pins.judge(subject, seen("one"), wary)).toBe("unapproved");
  await pins.save();
  await (await openPins(file)).approve(subject);
  await pins.reload();
  expect(pins.judge(subject, seen("one"), wary)).toBe("approved");
});

test("a server or tool that was never seen cannot be decided on", async () => {
  const pins = await openPins(await createPinFile());
  await expect(pins.approve({ server: "nobody" })).rejects.toThrow("mcp:nobody");
  await expect(pins.deny({ server: "nobody", tool: "x" })).rejects.toThrow("mcp:nobody/x");
});

test("a server that waits for a decision is forgotten with its entry, one that was decided on is not", async () => {
  const file = await createPinFile();
  const pins = await openPins(file);
  for (const server of ["declared", "gone", "approved", "denied"])
    pins.judge({ server }, seen("launch"), wary);
  await pins.save();
  await pins.approve({ server: "approved" });
  await pins.deny({ server: "denied" });
  pins.forgetUndeclared(new Set(["declared"]));
  await pins.save();
  expect((await openPins(file)).list().map(({ server }) => server)).toEqual([
    "declared",
    "approved",
    "denied",
  ]);
});
