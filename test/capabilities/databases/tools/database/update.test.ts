import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../../../support/until.ts";
import { openShop, query, rowsOf, update } from "./open-shop.ts";

test("an update is all or nothing, and with rollback it only tells what it would change", async () => {
  const { session } = await openShop();
  const tried = await session.call("database_update", {
    connection: "shop",
    statements: [
      { sql: "UPDATE item SET name = 'x' RETURNING id" },
      { sql: "DELETE FROM item WHERE id = 1" },
    ],
    rollback: true,
  });
  expect(tried.data).toMatchObject({
    committed: false,
    results: [{ affected: 2, rows: [[1], [2]] }, { affected: 1 }],
  });
  expect(tried.text).toContain("Rolled back: nothing was changed.");
  const failed = await update(session, "DELETE FROM item", "INSERT INTO nowhere VALUES (1)");
  expect(failed.error).toMatchObject({ code: "tool-failed", message: "statement 2: no such table: nowhere" });
  const refused = await update(session, "DELETE FROM item", "COMMIT");
  expect(refused.error?.message).toBe("an update cannot run COMMIT");
  const all = "SELECT name FROM item ORDER BY id";
  expect(rowsOf((await query(session, all)).data)).toEqual([["pen"], ["ink"]]);
  const done = await update(session, "DELETE FROM item WHERE id = 1", "CREATE TABLE more (x)");
  expect(done.data).toEqual({ committed: true, results: [{ affected: 1 }, { affected: 0 }] });
  expect(done.receipt.effects.writes).toEqual(["shop.db"]);
  expect(rowsOf((await query(session, all)).data)).toEqual([["ink"]]);
});

test("an update cannot leave its database or its transaction", async () => {
  const { session, workspace } = await openShop();
  const ways = [
    "ATTACH 'o.db' AS o",
    "VACUUM INTO 'copy.db'",
    "PRAGMA journal_mode = WAL",
    "DETACH o",
    "SAVEPOINT a",
  ];
  for (const sql of ways)
    expect(await update(session, sql)).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  expect(await readdir(workspace)).toEqual(["shop.db"]);
});

test("a connection that is not declared as writable, or not declared at all, is refused", async () => {
  const { session } = await openShop();
  const statements = [{ sql: "DELETE FROM item" }];
  const readable = await session.call("database_update", { connection: "readable", statements });
  expect(readable.error).toMatchObject({ code: "permission-denied", message: "readable may only be read" });
  const unknown = await session.call("database_query", { connection: "shup", sql: "SELECT 1" });
  expect(unknown.error).toMatchObject({ code: "not-found", hint: "Did you mean shop?" });
});

const forever = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

test("a statement that never ends blocks no other work, and is stopped when its time is up or its caller gives up", async () => {
  const { session } = await openShop();
  const caller = new AbortController();
  const input = { connection: "shop", sql: forever };
  const running = session.call("database_query", input, { signal: caller.signal });
  // It answers while the other one goes on.
  expect(rowsOf((await query(session, "SELECT count(*) FROM item")).data)).toEqual([[2]]);
  caller.abort();
  expect((await running).status).toBe("cancelled");
  expect((await query(session, forever, { timeout: 200 })).status).toBe("timed-out");
});

test("a change that is stopped halfway is undone, and the file can be read at once", async () => {
  const many =
    "CREATE TABLE big AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000) SELECT x, hex(zeroblob(2000)) AS y FROM n";
  const { session, workspace } = await openShop({}, many);
  const caller = new AbortController();
  // More than the cache holds, so that changed pages are in the file when it is stopped.
  const statements = [
    { sql: "UPDATE big SET y = hex(randomblob(2000))" },
    { sql: `INSERT INTO big ${forever.replace("count(*)", "count(*), ''")}` },
  ];
  const changing = session.call(
    "database_update",
    { connection: "shop", statements },
    { signal: caller.signal },
  );
  const file = join(workspace, "shop.db-journal");
  await until(
    async () =>
      (await stat(file).catch(() => undefined))?.size !== undefined && (await stat(file)).size > 5_000_000,
  );
  caller.abort();
  expect((await changing).status).toBe("cancelled");
  const sql = "SELECT count(*), max(y) FROM big";
  expect(rowsOf((await query(session, sql)).data)).toEqual([[3000, "0".repeat(4000)]]);
  expect(await readdir(workspace)).toEqual(["shop.db"]);
});
