import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/kernel/store/open-store.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { allEvents, custom } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("entries are there when the store is opened again", async () => {
  const { store, file } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  await store.append("one", {
    events: [custom("a", { list: [1] })],
    variables: [{ scope: "s", name: "n", value: { a: 1 } }],
  });
  const events = await allEvents(store, "one");
  await store.close();
  const again = await openTemporaryStore(file);
  expect(await allEvents(again.store, "one")).toEqual(events);
  expect(await again.store.readVariables("s")).toEqual(new Map([["n", { a: 1 }]]));
  expect(await again.store.listSessions()).toMatchObject([{ id: "one" }]);
});

test("only the owner can read the store, its logs and the folders made for it", async () => {
  const file = join(temporaryFolder(), "new", "folders", "store.sqlite");
  const { store } = await openTemporaryStore(file);
  await store.append("one", { events: [custom("a")] });
  await verifyChain(store, "one");
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(dirname(file))).toBe("700");
  expect(await modeOf(dirname(dirname(file)))).toBe("700");
  const names = await readdir(dirname(file));
  expect(names.sort()).toEqual([
    "store.sqlite",
    "store.sqlite-anchors",
    "store.sqlite-shm",
    "store.sqlite-wal",
  ]);
  for (const name of names) expect(await modeOf(join(dirname(file), name))).toBe("600");
});

test("without an address the store lies at the default place, and a relative one is relative to the process", async () => {
  const folder = temporaryFolder();
  const openAt = async (address: string | undefined) => {
    const store = await openStore(address, { defaultFile: join(folder, "default.sqlite") });
    onTestFinished(() => store.close());
  };
  await openAt(undefined);
  await openAt(`sqlite:${relative(process.cwd(), join(folder, "relative.sqlite"))}`);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(["default.sqlite", "relative.sqlite"]));
});

test("several runtimes of one process that open a new store at once share it", async () => {
  const file = join(temporaryFolder(), "store.sqlite");
  const opened = await Promise.all([1, 2, 3, 4].map(() => openTemporaryStore(file)));
  await Promise.all(opened.map(async ({ store }) => store.append("one", { events: [custom("a")] })));
  for (const { store } of opened) expect(await store.readLastSequence("one")).toBe(4);
});

test("a store for power loss works like the other", async () => {
  const { store } = await openTemporaryStore(undefined, { durability: "power-loss" });
  await store.append("one", { events: [custom("a")] });
  expect(await store.readLastSequence("one")).toBe(1);
});

test.each<{ what: string; prepare(file: string): Promise<void>; why: string | RegExp }>([
  { what: "a folder", prepare: async (file) => void (await mkdir(file)), why: "it is not a regular file" },
  {
    what: "no database",
    prepare: (file) => writeFile(file, "Dear diary, ".repeat(1000)),
    why: "file is not a database",
  },
  {
    what: "a database with nonsense inside",
    prepare: async (file) => {
      await useDatabase(file, "CREATE TABLE store_version (other TEXT)");
    },
    why: "it is not a Toolwright store: no such column: version",
  },
  {
    what: "of a newer format",
    prepare: (file) =>
      useDatabase(file, "CREATE TABLE store_version (version INTEGER); INSERT INTO store_version VALUES (7)"),
    why: "it has format 7, from a newer version of Toolwright; this version knows formats up to 3. Update Toolwright, or choose another store",
  },
])("a path that is $what gives an error with the path and the reason", async ({ prepare, why }) => {
  const file = join(temporaryFolder(), "store.sqlite");
  await prepare(file);
  await expect(openTemporaryStore(file)).rejects.toMatchObject({
    name: "StoreError",
    message: `cannot open the store ${file}: ${why}`,
  });
});

test("a path below a file, and an unknown kind of store, give an error that names them", async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, "file"), "");
  const file = join(folder, "file", "store.sqlite");
  await expect(openTemporaryStore(file)).rejects.toThrow(`cannot open the store ${file}: `);
  for (const address of ["redis://x", "sqlite:", ""]) {
    await expect(openStore(address, { defaultFile: file })).rejects.toThrow(
      `unknown store ${JSON.stringify(address)}`,
    );
  }
});

// Root may read everything.
const testAsPlainUser = await needs("plain user");

testAsPlainUser("a file that may not be read gives an error with its path", async () => {
  const file = join(temporaryFolder(), "store.sqlite");
  await writeFile(file, "", { mode: 0o000 });
  await expect(openTemporaryStore(file)).rejects.toThrow(`cannot open the store ${file}: `);
});

async function useDatabase(file: string, sql: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
