import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RuntimeOptions, Session } from "../../../../../src/index.ts";
import type { QueryRows } from "../../../../../src/tool/services/databases.ts";
import { openTestSession, temporaryFolder } from "../../../../support/open-test-session.ts";

/** A session with a small SQLite database in its workspace. */
export async function openShop(options: RuntimeOptions = {}, sql = schema) {
  const folder = (options.workspace as string | undefined) ?? (await temporaryFolder());
  const file = join(folder, "shop.db");
  fill(file, sql);
  const opened = await openTestSession({
    workspace: folder,
    permissions: { mode: "auto" },
    databases: { shop: { sqlite: "shop.db", writable: true }, readable: { sqlite: "shop.db" } },
    ...options,
  });
  return { ...opened, file };
}

export const schema =
  "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'pen'), (2, 'ink')";

export function fill(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

export const query = (session: Session, sql: string, more: object = {}) =>
  session.call("database_query", { connection: "shop", sql, ...more });

export const update = (session: Session, ...sqls: string[]) =>
  session.call("database_update", { connection: "shop", statements: sqls.map((sql) => ({ sql })) });

export const rowsOf = (data: unknown) => (data as QueryRows).rows;
