import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { keptKinds } from "../../../src/capabilities.ts";
import { openStore } from "../../../src/kernel/store/open-store.ts";
import type { Store } from "../../../src/kernel/store/store.ts";
import { findDamagedVariables, verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { callEnd, custom, oneTo } from "./events.ts";

const sessions = oneTo(12).map((number) => `needle-${number}`);

/** A store whose log, and each index of it, takes more than a page. */
async function makeStore(): Promise<{ file: string; anchors: Buffer }> {
  const file = join(temporaryFolder(), "store.sqlite");
  const store = await openStore(`sqlite:${file}`, { defaultFile: file });
  for (const id of sessions) {
    const calls = oneTo(6).map((number) => `call-of-${id}-${number}`);
    const variables = [{ scope: `session:${id}`, name: "x", value: 1 }];
    await store.append(id, { events: [custom(id), ...calls.map((call) => callEnd(id, call))], variables });
  }
  await store.close();
  return { file, anchors: await readFile(`${file}-anchors`) };
}

/** Whatever `log --verify` and `doctor` tell of. */
async function findAll(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  const ids = await store.rawLogs.list().catch((error: Error) => {
    found.push(error.message);
    return [];
  });
  for (const id of ids) {
    const { broken } = await verifyChain(store, id);
    if (broken !== undefined) found.push(`${id}: ${broken.reason}`);
  }
  for (const { scope, name } of await findDamagedVariables(store, { kinds: keptKinds }))
    found.push(`${scope} ${name}`);
  return [...found, ...(await store.maintenance.findDamage().catch((error: Error) => [error.message]))];
}

/** Everything but what no chain and no index covers: variables' values, and what is told of a session beside its log. */
function readCovered(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const queries = [
      "SELECT * FROM events NOT INDEXED ORDER BY key",
      "SELECT session_number, receipts, hash, last_at, sequence, former_until FROM chains ORDER BY session_number",
      "SELECT number, id FROM sessions NOT INDEXED ORDER BY number",
      "SELECT number, id FROM sessions INDEXED BY sqlite_autoindex_sessions_1 ORDER BY id",
      "SELECT key FROM events INDEXED BY receipts_by_call WHERE call_id IS NOT NULL ORDER BY call_id",
      "SELECT scope, name FROM variables INDEXED BY sqlite_autoindex_variables_1 ORDER BY scope, name",
    ];
    return JSON.stringify(queries.map((sql) => database.prepare(sql).all()));
  } catch (error) {
    return (error as Error).message;
  } finally {
    database.close();
  }
}

test("a bit that is flipped anywhere in the file is noticed, or changes nothing of a log or an index", async () => {
  const { file, anchors } = await makeStore();
  const bytes = await readFile(file);
  const covered = readCovered(file);
  const random = seededRandom();
  // The names in a table and in its index, and then any place at all.
  const places = ["needle-7", "call-of-needle-7-3"].flatMap((text) => placesOf(text, bytes));
  const more = oneTo(fuzzRuns({ sample: 20, full: 10_000 })).map(() => Math.floor(random() * bytes.length));
  for (const place of [...places, ...more]) {
    const bit = Math.floor(random() * 8);
    for (const end of ["-wal", "-shm", "-lives"]) await rm(file + end, { recursive: true, force: true });
    await writeFile(
      file,
      bytes.map((byte, index) => (index === place ? byte ^ (1 << bit) : byte)),
    );
    await writeFile(`${file}-anchors`, anchors);
    const store = await openStore(`sqlite:${file}`, { defaultFile: file }).catch(() => undefined);
    if (store === undefined) continue;
    const found = await findAll(store);
    await store.close().catch(() => {});
    if (found.length === 0) expect(readCovered(file), `byte ${place}, bit ${bit}`).toBe(covered);
  }
}, 600_000);

function placesOf(text: string, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at + 2);
  return places;
}

const oddValues = ["'{}'", "-1", "1.5", "4294967296", "1152921504606846976", "x'00ff'", "''"];

test("a recorded end of a call that cannot be read is told, and every session goes on writing its log", async () => {
  for (const column of ["receipts", "sequence", "former_until"]) {
    for (const value of oddValues) {
      const { file } = await makeStore();
      tamper(file, `UPDATE chains SET ${column} = ${value} WHERE session_number = 7`);
      const store = await openStore(`sqlite:${file}`, { defaultFile: file });
      const verify = async () => (await verifyChain(store, "needle-7")).broken?.reason;
      expect(await verify(), `${column} ${value}`).toBe("the end that the store has recorded cannot be read");
      const receipt = await store.append("needle-7", { events: [callEnd("needle-7", "next")] });
      expect(receipt).toMatchObject({ position: 7 });
      // The next end is recorded as it is; what was taken over from an older version is never written again.
      const left = column === "former_until" ? 1 : 0;
      expect(await findAll(store), `${column} ${value}`).toHaveLength(left);
      await store.close();
    }
  }
});

test("an impossible session number in the database does not prevent new sessions, and is told", async () => {
  const changes = [
    "UPDATE events SET key = 1152921504606846976 WHERE call_id = 'call-of-needle-7-6'",
    "UPDATE chains SET session_number = 1152921504606846976 WHERE session_number = 7",
    "UPDATE sessions SET number = 1152921504606846976 WHERE number = 7",
    "UPDATE events SET position = 1152921504606846976 WHERE call_id = 'call-of-needle-7-6'",
    "UPDATE sessions SET id = x'00ff' WHERE number = 7",
  ];
  for (const change of changes) {
    const { file } = await makeStore();
    tamper(file, change);
    const store = await openStore(`sqlite:${file}`, { defaultFile: file });
    await store.openSession({ id: "new", workspace: "/w" });
    await store.append("new", { events: [callEnd("new", "mine")] });
    expect((await verifyChain(store, "new")).broken, change).toBeUndefined();
    expect(await store.readReceipts({ limit: 1 }), change).toMatchObject([{ callId: "mine" }]);
    expect(await findAll(store), change).not.toEqual([]);
    await store.close();
  }
});

test("a store opens with a folder in place of its file of anchors, and with a file of anchors that is far too long", async () => {
  for (const isFolder of [true, false]) {
    const { file } = await makeStore();
    if (isFolder) {
      await rm(`${file}-anchors`);
      await mkdir(`${file}-anchors`);
    } else await truncate(`${file}-anchors`, 2 ** 29);
    const store = await openStore(`sqlite:${file}`, { defaultFile: file });
    await store.append("new", { events: [callEnd("new", "mine")] });
    await store.append("needle-7", { events: [callEnd("needle-7", "next")] });
    const { broken } = await verifyChain(store, "needle-7");
    const reason = "the end that was recorded outside of the store cannot be read";
    expect(broken?.reason).toBe(isFolder ? reason : undefined);
    await store.close();
  }
});

function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
