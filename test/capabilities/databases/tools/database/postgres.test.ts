import { createServer } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { RuntimeOptions, Session } from "../../../../../src/index.ts";
import type { QueryRows } from "../../../../../src/tool/services/databases.ts";
import { freePort } from "../../../../support/free-port.ts";
import { needs } from "../../../../support/needs.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { type PostgresServer, postgresPassword, startPostgres } from "../../../../support/start-postgres.ts";
import { until } from "../../../../support/until.ts";

const testPostgres = await needs("postgres");

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = await startPostgres();
  await server?.psql("SET ROLE app; CREATE TABLE item (id int PRIMARY KEY, name text)");
}, 30_000);
afterAll(() => server?.close());

async function openApp(options: RuntimeOptions = {}) {
  await server!.psql("TRUNCATE item; INSERT INTO item VALUES (1, 'pen'), (2, 'ink')");
  return openTestSession({
    permissions: { mode: "auto" },
    databases: { app: { postgres: server!.url(), writable: true }, readable: { postgres: server!.url() } },
    ...options,
  });
}

const query = (session: Session, sql: string, more: object = {}) =>
  session.call("database_query", { connection: "app", sql, ...more });

const rowsOf = (data: unknown) => (data as QueryRows).rows;

const names = () => server!.psql("SELECT string_agg(name, ',' ORDER BY id) FROM item");

testPostgres(
  "a query binds its parameters, returns values without loss, and runs in mode readonly",
  async () => {
    const { session } = await openApp({ permissions: { mode: "readonly" } });
    const found = await query(session, "SELECT id, name FROM item WHERE name = $1", {
      parameters: ["x' OR true; DROP TABLE item; --"],
    });
    expect(found).toMatchObject({ status: "done", data: { rows: [], truncated: false } });
    const sql = `SELECT $1::bigint AS big, $2::bytea AS bytes, 'NaN'::float8 AS nan, '-Infinity'::float4 AS low,
    1.10::numeric AS exact, TIMESTAMPTZ '2026-01-02 03:04:05.123456+00' AS at, DATE '0044-03-15 BC' AS ides, NULL AS nothing,
    true AS yes, ARRAY[1,2] AS list, '{"a": 12345678901234567890}'::jsonb AS json, 7 AS a, 8 AS a`;
    const { data } = await query(session, sql, {
      parameters: [{ integer: "9223372036854775807" }, { base64: "AP8=" }],
    });
    expect(rowsOf(data)).toEqual([
      [
        { integer: "9223372036854775807" },
        { base64: "AP8=" },
        { real: "NaN" },
        { real: "-Infinity" },
        "1.10",
        "2026-01-02 03:04:05.123456+00",
        "0044-03-15 BC",
        null,
        true,
        "{1,2}",
        '{"a": 12345678901234567890}',
        7,
        8,
      ],
    ]);
    const types = (data as QueryRows).columns.map(({ type }) => type);
    expect(types.slice(0, 6)).toEqual([
      "bigint",
      "bytea",
      "double precision",
      "real",
      "numeric",
      "timestamp with time zone",
    ]);
    const named = await query(session, "SELECT $1", { parameters: { a: 1 } });
    expect(named.error?.message).toBe("PostgreSQL takes parameters as a list, for $1, $2 and so on");
  },
);

testPostgres(
  "a query changes nothing, whatever it is given, and leaves nothing on its connection",
  async () => {
    const { session } = await openApp();
    for (const sql of [
      "INSERT INTO item VALUES (3, 'x')",
      "WITH gone AS (DELETE FROM item RETURNING id) SELECT * FROM gone",
      "SELECT 1; DELETE FROM item",
      "SELECT * INTO copy FROM item",
      "SELECT * FROM item FOR UPDATE",
      "EXPLAIN ANALYZE DELETE FROM item",
      "COPY item TO PROGRAM 'touch /tmp/never'",
      "COPY item TO STDOUT",
      "/* /* SELECT */ */ COPY item TO STDOUT",
      "SET TRANSACTION READ WRITE",
      "SELECT set_config('transaction_read_only', 'off', false)",
      "COMMIT",
      "DO $$ BEGIN DELETE FROM item; END $$",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      "CREATE TEMP TABLE t (x int)",
      "SELECT nextval('nowhere')",
    ]) {
      const { status } = await query(session, sql);
      expect([sql, status]).toEqual([sql, "failed"]);
    }
    expect(await names()).toBe("pen,ink");
    await query(session, "SELECT set_config('search_path', 'nowhere', false), pg_advisory_lock(1)");
    expect(rowsOf((await query(session, "SELECT current_setting('search_path')")).data)).toEqual([
      ['"$user", public'],
    ]);
    expect(await server!.psql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).toBe("0");
    expect(await server!.psql("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'")).toBe("0");
  },
);

testPostgres(
  "an update is all or nothing, with rollback only tried, and refused where the connection is not writable",
  async () => {
    const { session } = await openApp();
    const update = (statements: string[], more: object = {}) =>
      session.call("database_update", {
        connection: "app",
        statements: statements.map((sql) => ({ sql })),
        ...more,
      });
    const tried = await update(["UPDATE item SET name = 'x' RETURNING id", "DELETE FROM item"], {
      rollback: true,
    });
    expect(tried.data).toMatchObject({
      committed: false,
      results: [{ affected: 2, rows: [[1], [2]] }, { affected: 2 }],
    });
    const failed = await update(["DELETE FROM item", "INSERT INTO item VALUES (1, 'a'), (1, 'b')"]);
    expect(failed.error).toMatchObject({
      code: "tool-failed",
      message: expect.stringMatching(/^statement 2: duplicate key .*; Key \(id\)=\(1\) already exists\.$/),
    });
    expect((await update(["DELETE FROM item", "COMMIT"])).error?.code).toBe("invalid-input");
    expect((await update(["DELETE FROM item; COMMIT"])).status).toBe("failed");
    expect(await names()).toBe("pen,ink");
    const readable = await session.call("database_update", {
      connection: "readable",
      statements: [{ sql: "DELETE FROM item" }],
    });
    expect(readable.error?.code).toBe("permission-denied");
    const done = await update(["DELETE FROM item WHERE id = 1"]);
    expect(done.text).toBe("1. 1 row affected.\nCommitted.");
    expect(await names()).toBe("ink");
  },
);

testPostgres(
  "a million rows and a huge value are cut or refused, and the connection serves the next call",
  async () => {
    const { session } = await openApp();
    const many = await query(session, "SELECT x, repeat('y', 100) FROM generate_series(1, 1000000) AS x");
    expect(many).toMatchObject({ truncated: true, data: { truncated: true } });
    const huge = await query(session, "SELECT repeat('x', 40000000)");
    expect(huge.error).toMatchObject({ code: "too-large" });
    const long = await query(session, "SELECT repeat('x', 1000000)");
    expect(long.error).toMatchObject({
      code: "too-large",
      message: "the first row alone has more than 256 KB",
    });
    expect(rowsOf((await query(session, "SELECT 1")).data)).toEqual([[1]]);
  },
);

testPostgres(
  "a statement that takes too long is stopped at the server, by its time or by its caller, and a change undone",
  async () => {
    const { session } = await openApp();
    const sleeping = () =>
      server!.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()",
      );
    const slow = await query(session, "SELECT pg_sleep(60)", { timeout: 300 });
    expect(slow.status).toBe("timed-out");
    await until(async () => (await sleeping()) === "0");
    const caller = new AbortController();
    const statements = [{ sql: "DELETE FROM item" }, { sql: "SELECT pg_sleep(60)" }];
    const changing = session.call(
      "database_update",
      { connection: "app", statements },
      { signal: caller.signal },
    );
    await until(async () => (await sleeping()) === "1");
    caller.abort();
    expect((await changing).status).toBe("cancelled");
    await until(async () => (await sleeping()) === "0");
    expect(await names()).toBe("pen,ink");
  },
);

testPostgres("no address, user or password is in any result, event or receipt", async () => {
  const wrong = server!.url().replace(postgresPassword, "wrong-passw0rd-1");
  const port = await freePort();
  const { session, runtime } = await openApp({
    databases: {
      wrong: { postgres: wrong },
      gone: { postgres: `postgres://app:${postgresPassword}@127.0.0.1:${port}/app` },
      nowhere: { postgres: `postgres://app:${postgresPassword}@nowhere.invalid/app` },
      missing: { postgres: server!.url({ database: "missing" }) },
      unset: { postgres: { env: "TOOLWRIGHT_TEST_UNSET" } },
      super: { postgres: server!.url({ user: "postgres" }) },
      app: { postgres: server!.url() },
    },
  });
  const ask = async (connection: string) =>
    (await session.call("database_query", { connection, sql: "SELECT 1" })).error?.message;
  expect(await ask("wrong")).toBe("wrong cannot be used: the server refused the user or password");
  expect(await ask("gone")).toBe("gone cannot be reached: nothing answers at its address");
  expect(await ask("nowhere")).toMatch(/^nowhere cannot be reached: its host name/);
  expect(await ask("missing")).toBe("missing cannot be used: the server has no such database");
  expect(await ask("unset")).toBe(
    "unset cannot be used: the environment variable TOOLWRIGHT_TEST_UNSET is not set",
  );
  expect(await ask("super")).toBe("the user of super can use files and programs of the server");
  const said = await query(session, "SELECT $1::text", { parameters: [server!.url()] });
  expect(said.text).toContain("[redacted]");
  const events: unknown[] = [];
  const last = await session.bookmark();
  for await (const event of session.events({ since: 0 })) {
    events.push(event);
    if (event.sequence >= last) break;
  }
  const record = JSON.stringify([events, await runtime.receipts()]);
  expect(record).not.toMatch(/passw0rd/);
});

testPostgres(
  "a role that reaches the server's files counts as execute, and rules on hosts bind connections",
  async () => {
    const { session } = await openApp({
      permissions: { mode: "ask" },
      databases: {
        super: { postgres: server!.url({ user: "postgres" }), superuser: true },
        app: { postgres: server!.url() },
      },
    });
    const input = { connection: "super", sql: "SELECT 1" };
    expect(await session.explain("database_query", input)).toMatchObject({
      decision: "ask",
      permissionClass: "execute",
    });
    const plain = await session.explain("database_query", { connection: "app", sql: "SELECT 1" });
    expect(plain).toMatchObject({
      decision: "allow",
      effects: { hosts: [expect.stringMatching(/^127\.0\.0\.1:\d+$/)] },
    });
    const { session: strict } = await openApp({ permissions: { mode: "auto", deny: ["@network"] } });
    expect((await strict.explain("database_query", { connection: "app", sql: "SELECT 1" })).decision).toBe(
      "deny",
    );
  },
);

testPostgres("a connection that the server has ended is not used again", async () => {
  const { session } = await openApp();
  const ask = async () => rowsOf((await query(session, "SELECT pg_backend_pid()")).data)[0]?.[0];
  const [first, second] = [await ask(), await ask()];
  expect(second).toBe(first);
  await server!.psql(`SELECT pg_terminate_backend(${first})`);
  await until(
    async () => (await server!.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${first}`)) === "0",
  );
  const third = await ask();
  expect(third).toBeTypeOf("number");
  expect(third).not.toBe(first);
});

test("a server that says nothing, or closes the connection, does not hang the call", async () => {
  const silent = createServer(() => {}).listen(await freePort(), "127.0.0.1");
  const rude = createServer((socket) => socket.destroy()).listen(await freePort(), "127.0.0.1");
  onTestFinished(() => void [silent, rude].map((each) => each.close()));
  const at = (each: typeof silent) => `postgres://u@127.0.0.1:${(each.address() as { port: number }).port}/d`;
  await until(() => silent.listening && rude.listening);
  const { session } = await openTestSession({
    databases: { silent: { postgres: at(silent) }, rude: { postgres: at(rude) } },
  });
  const waited = await session.call("database_query", {
    connection: "silent",
    sql: "SELECT 1",
    timeout: 300,
  });
  expect(waited.status).toBe("timed-out");
  const cut = await session.call("database_query", { connection: "rude", sql: "SELECT 1" });
  expect(cut.error).toMatchObject({ code: "unavailable" });
});
