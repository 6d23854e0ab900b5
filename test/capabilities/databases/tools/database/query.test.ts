import { readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { fill, openShop, query, rowsOf, schema, update } from "./open-shop.ts";

test("a query binds its parameters, in a list or by name, and takes no text for SQL", async () => {
  const { session } = await openShop({ permissions: { mode: "readonly" } });
  const listed = await query(session, "SELECT id FROM item WHERE name = ?", { parameters: ["pen"] });
  expect(listed).toMatchObject({
    status: "done",
    data: { columns: [{ name: "id", type: "INTEGER" }], rows: [[1]], truncated: false },
  });
  const named = await query(session, "SELECT id FROM item WHERE name = :name", {
    parameters: { name: "ink" },
  });
  expect(rowsOf(named.data)).toEqual([[2]]);
  const hostile = await query(session, "SELECT id FROM item WHERE name = ?", {
    parameters: ["x' OR 1=1; DROP TABLE item; --"],
  });
  expect(rowsOf(hostile.data)).toEqual([]);
  for (const parameters of [[], ["a", "b"]]) {
    const { error } = await query(session, "SELECT id FROM item WHERE name = ?", { parameters });
    expect(error).toBeDefined();
  }
  expect((await query(session, "SELECT :a", { parameters: { b: 1 } })).status).toBe("failed");
});

test("values come back without loss", async () => {
  const { session } = await openShop();
  const sql =
    "SELECT 9223372036854775807, -9007199254740993, 1.5, 9e999, NULL, x'00ff', 'é', 42, 1 AS a, 2 AS a";
  const { data, text } = await query(session, sql);
  expect(rowsOf(data)).toEqual([
    [
      { integer: "9223372036854775807" },
      { integer: "-9007199254740993" },
      1.5,
      { real: "Infinity" },
      null,
      { base64: "AP8=" },
      "é",
      42,
      1,
      2,
    ],
  ]);
  expect(text).toContain('{"integer":"9223372036854775807"}');
  const parameters = [{ integer: "9223372036854775807" }, { base64: "AP8=" }, true, null, 0.1];
  const echoed = await query(session, "SELECT ?, ?, ?, ?, ?", { parameters });
  expect(rowsOf(echoed.data)).toEqual([[parameters[0], parameters[1], 1, null, 0.1]]);
});

const changes = [
  "INSERT INTO item VALUES (3, 'x')",
  "WITH a AS (SELECT 1) INSERT INTO item SELECT 3, 'x'",
  "/* SELECT */ -- SELECT\n DELETE FROM item",
  "SELECT 1; DELETE FROM item",
  "ATTACH 'other.db' AS other",
  "PRAGMA writable_schema = 1",
  "PRAGMA query_only = 0",
  "VACUUM INTO 'copy.db'",
  "SELECT load_extension('x')",
  "SELECT writefile('x', 'y')",
  "BEGIN",
  "CREATE TEMP TABLE t (x)",
  ";",
  "-- nothing",
  "\u{feff}DELETE FROM item",
];

test("a query changes nothing, whatever it is given", async () => {
  const { session, workspace, file } = await openShop();
  const before = await readFile(file);
  for (const sql of changes) {
    const { status, error } = await query(session, sql);
    expect([sql, status]).toEqual([sql, "failed"]);
    expect(error?.message).not.toContain(workspace);
  }
  expect(await readFile(file)).toEqual(before);
  expect(await readdir(workspace)).toEqual(["shop.db"]);
});

test("a million rows, long rows and a huge value are cut or refused, and told", async () => {
  const { session } = await openShop({ output: { maxCharacters: 4000 } });
  const numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) SELECT";
  const many = await query(session, `${numbers} x FROM n`);
  expect(many).toMatchObject({ truncated: true, data: { truncated: true, cutBy: "rows" } });
  expect(rowsOf(many.data)).toHaveLength(200);
  const long = await query(session, `${numbers} printf('%500s', x) FROM n`);
  expect(long.data).toMatchObject({ truncated: true, cutBy: "characters" });
  expect(long.text.length).toBeLessThanOrEqual(4000);
  expect(long.text).toContain("There are more rows.");
  const bytes = await query(session, `${numbers} printf('%100000s', x) FROM n`);
  expect(bytes.data).toMatchObject({ truncated: true });
  const huge = await query(session, "SELECT hex(zeroblob(1000000))");
  expect(huge.error).toMatchObject({
    code: "too-large",
    message: "the first row alone has more than 256 KB",
  });
  const memory = await query(session, "SELECT zeroblob(900000000)");
  expect(memory.error).toMatchObject({ code: "too-large" });
});

test("rules on the file bind the database, however its path is written", async () => {
  const { session, workspace, file } = await openShop({
    permissions: { mode: "auto", deny: ["Read(secret.db)", "Edit(shop.db)"] },
    databases: {
      shop: { sqlite: "shop.db", writable: true },
      link: { sqlite: "link.db" },
      outside: { sqlite: "/etc/passwd", writable: true },
    },
  });
  fill(join(workspace, "secret.db"), schema);
  await symlink("secret.db", join(workspace, "link.db"));
  expect((await query(session, "SELECT 1")).status).toBe("done");
  expect(await update(session, "DELETE FROM item")).toMatchObject({ status: "denied" });
  const linked = await session.call("database_query", { connection: "link", sql: "SELECT 1" });
  expect(linked).toMatchObject({ status: "denied" });
  const outside = await session.explain("database_update", {
    connection: "outside",
    statements: [{ sql: "SELECT 1" }],
  });
  expect(outside.decision).toBe("ask");
  const verdict = await session.explain("database_query", { connection: "shop", sql: "SELECT 1" });
  expect(verdict).toMatchObject({
    decision: "allow",
    permissionClass: "read",
    effects: { reads: ["shop.db"] },
  });
  await rename(file, join(workspace, "elsewhere.db"));
  await symlink("secret.db", file);
  expect(await query(session, "SELECT 1")).toMatchObject({ status: "denied" });
});

test("a file that is no database, or is locked by another process, is named in the error", async () => {
  const { session, workspace, file } = await openShop({
    databases: {
      text: { sqlite: "text.db" },
      none: { sqlite: "none.db" },
      shop: { sqlite: "shop.db", writable: true },
    },
  });
  await writeFile(
    join(workspace, "text.db"),
    "just some text, long enough to have a header of a hundred bytes\n".repeat(40),
  );
  const text = await session.call("database_query", { connection: "text", sql: "SELECT 1" });
  expect(text.error).toMatchObject({ code: "binary-file" });
  const none = await session.call("database_query", { connection: "none", sql: "SELECT 1" });
  expect(none.error).toMatchObject({ code: "not-found", message: "the file of none does not exist" });
  const writer = new DatabaseSync(file);
  writer.exec("BEGIN IMMEDIATE; INSERT INTO item VALUES (9, 'x')");
  const { status } = await query(session, "SELECT count(*) FROM item");
  expect(status).toBe("done");
  writer.exec("ROLLBACK; PRAGMA journal_mode = WAL; INSERT INTO item VALUES (9, 'x')");
  // In this mode the newest rows are in another file for a while.
  const newest = await query(session, "SELECT count(*) FROM item");
  expect(rowsOf(newest.data)).toEqual([[3]]);
  writer.close();
  expect(rowsOf((await query(session, "SELECT count(*) FROM item")).data)).toEqual([[3]]);
});

test("the tools are offered only where a database is declared, and name its connections", async () => {
  const { session: without } = await openTestSession();
  const denied = without.tools().filter(({ name }) => name.startsWith("database_"));
  expect(denied.map(({ denied: why }) => why)).toEqual(
    Array(2).fill("this runtime does not support databases: none is declared in the option databases"),
  );
  expect((await without.call("database_query", { connection: "a", sql: "SELECT 1" })).error?.code).toBe(
    "unavailable",
  );
  const { session } = await openShop();
  const offered = session.activeTools().filter(({ name }) => name.startsWith("database_"));
  expect(offered.map(({ description }) => description.split(". ").at(-1))).toEqual([
    "2 connections: shop (SQLite), readable (SQLite).",
    "1 connection: shop (SQLite).",
  ]);
  const update = (
    await session.dryRun("database_update", { connection: "shop", statements: [{ sql: "DELETE FROM item" }] })
  ).text;
  expect(update).toContain("It would run 1 statement on shop in one transaction.");
});

const wrongDeclarations: [unknown, string][] = [
  [{ shop: { sqlite: "a", postgres: "postgres://h/d" } }, "give either sqlite"],
  [{ shop: {} }, "give either sqlite"],
  [{ shop: { sqlite: ":memory:" } }, "not an address"],
  [{ shop: { sqlite: "a", superuser: true } }, "only for postgres"],
  [{ shop: { sqlite: "a", writeable: true } }, "writeable"],
  [{ shop: { sqlite: "a", writable: "yes" } }, "must be true or false"],
  [{ "a b": { sqlite: "a" } }, "a name begins with a letter"],
  [{ shop: { postgres: "mysql://user:hunter22@host/db" } }, "must be an address such as"],
  [{ shop: { postgres: { env: "" } } }, "must name a variable"],
];

test("a declaration that could not work is refused when the runtime opens, without repeating it", async () => {
  for (const [databases, message] of wrongDeclarations) {
    const opening = openTestSession({ databases: databases as never });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow("hunter22");
  }
});
