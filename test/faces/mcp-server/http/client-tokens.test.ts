import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openClientTokens } from "../../../../src/faces/mcp-server/http/client-tokens.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

test("a client's token stays the same, is its own, and tells whose it is", async () => {
  const folder = join(await temporaryFolder(), "clients");
  const tokens = await openClientTokens(folder);
  const laptop = await tokens.ensure("laptop");
  expect(laptop).toMatch(/^tw_[A-Za-z0-9_-]{43}$/);
  expect(await tokens.ensure("laptop")).toBe(laptop);
  expect(await tokens.ensure("desktop")).not.toBe(laptop);
  const again = await openClientTokens(folder);
  expect(again.identify(laptop)).toBe("laptop");
  expect(again.identify(`${laptop}x`)).toBeUndefined();
  expect(again.identify("")).toBeUndefined();
});

test("only the user can read the tokens, whatever became of the files", async () => {
  const folder = join(await temporaryFolder(), "clients");
  const tokens = await openClientTokens(folder);
  await tokens.ensure("laptop");
  const file = join(folder, "laptop.token");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o644);
  await openClientTokens(folder);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("many servers that start at once agree on the token", async () => {
  const folder = join(await temporaryFolder(), "clients");
  const made = await Promise.all(
    Array.from({ length: 20 }, async () => (await openClientTokens(folder)).ensure("laptop")),
  );
  expect(new Set(made).size).toBe(1);
  expect(await readdir(folder)).toEqual(["laptop.token"]);
});

test.each(["", "a b", "../up", "a/b", "x".repeat(65), ".hidden"])(
  "%j is refused as a client's name",
  async (name) => {
    const tokens = await openClientTokens(join(await temporaryFolder(), "clients"));
    await expect(tokens.ensure(name)).rejects.toThrow("a client's name must be");
  },
);

test("a file that holds no token, or leads elsewhere, is an error that names it", async () => {
  const folder = join(await temporaryFolder(), "clients");
  await (await openClientTokens(folder)).ensure("laptop");
  const file = join(folder, "laptop.token");
  const token = await readFile(file, "utf8");
  await writeFile(file, "");
  await expect(openClientTokens(folder)).rejects.toThrow(file);
  await writeFile(file, token);
  await symlink(file, join(folder, "linked.token"));
  await expect(openClientTokens(folder)).rejects.toThrow("linked.token");
});
