import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
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

test("a statement that never ends is stopped in time, without blocking anybody, and a change is undone", async () => {
  const { session } = await openShop();
  const order: string[] = [];
  const noting = async <Result>(name: string, call: Promise<Result>) => {
    const result = await call;
    order.push(name);
    return result;
  };
  const [stopped, other] = await Promise.all([
    noting("forever", query(session, forever, { timeout: 1000 })),
    noting("other", query(session, "SELECT count(*) FROM item")),
  ]);
  expect(stopped.status).toBe("timed-out");
  expect(rowsOf(other.data)).toEqual([[2]]);
  expect(order).toEqual(["other", "forever"]);
  const statements = [
    { sql: "DELETE FROM item" },
    { sql: `INSERT INTO item ${forever.replace("count(*)", "count(*), ''")}` },
  ];
  const change = await session.call("database_update", { connection: "shop", statements, timeout: 600 });
  expect(change.status).toBe("timed-out");
  const left = await query(session, "SELECT count(*) FROM item");
  expect(rowsOf(left.data)).toEqual([[2]]);
});
