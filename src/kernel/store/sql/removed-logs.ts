import { setTimeout as delay } from "node:timers/promises";
import type { ProcessLives } from "../../../machine/locks/index.ts";
import { variableStatement } from "../log-entry.ts";
import { parseStored } from "../parse-stored.ts";
import { keyRange } from "./event-key.ts";
import type { SqlDriver, SqlQuery, SqlStatement } from "./sql-driver.ts";

// By number, the ids of sessions of which nothing is left but the rows of their logs.
const removedScope = "removed-sessions";
// By number, the processes that add a session, of which there is nothing yet but rows of its log.
const importScope = "imported-sessions";

/** For a query: the numbers of rows whose session was removed. */
export const removedNumbers = `SELECT CAST(name AS INTEGER) AS number FROM variables
  WHERE scope IN ('${removedScope}', '${importScope}')`;

/**
 * Part of the transaction that removes a session, so that rows left by a process that is killed afterwards are still
 * known.
 */
export function noteRemoved(number: number, id: string): SqlStatement {
  return noteIn(removedScope, number, id);
}

/** Notes an import before its first row is added, so that rows left by a process that is killed are still known. */
export function noteImport(number: number, importer: string): SqlStatement {
  return noteIn(importScope, number, importer);
}

export function forgetImport(number: number): SqlStatement {
  return noteIn(importScope, number, undefined);
}

export async function isImportedBy(query: SqlQuery, number: number, importer: string): Promise<boolean> {
  return (await readNotes(query, importScope)).get(number) === importer;
}

export async function readRemoved(query: SqlQuery): Promise<ReadonlyMap<number, string>> {
  return readNotes(query, removedScope);
}

/** Erases the rows of removed sessions, and of those that a process was killed over while it added them. */
export async function eraseRemoved(driver: SqlDriver, lives: Pick<ProcessLives, "isAlive">): Promise<void> {
  for (const number of (await readRemoved(driver.query)).keys())
    await eraseLog(driver, number, noteIn(removedScope, number, undefined));
  for (const [number, importer] of await readNotes(driver.query, importScope))
    if (!lives.isAlive(importer)) await eraseLog(driver, number, forgetImport(number));
}

/** Erases a few rows at a time and with breaks: all other writers have to wait for as long as a transaction takes. */
export async function eraseLog(driver: SqlDriver, number: number, forget: SqlStatement): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    const startedAt = performance.now();
    isLeft = await driver.transaction(async (transaction) => {
      await transaction.run([{ sql: deleteSome, values: keyRange(number) }]);
      return (await transaction.query(selectOne, keyRange(number))).length > 0;
    });
    if (isLeft) await delay(performance.now() - startedAt);
  }
  await driver.transaction((transaction) => transaction.run([forget]));
}

function noteIn(scope: string, number: number, value: string | undefined): SqlStatement {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return variableStatement({ scope, name: String(number), text });
}

async function readNotes(query: SqlQuery, scope: string): Promise<ReadonlyMap<number, string>> {
  const rows = await query("SELECT name, value FROM variables WHERE scope = ?", [scope]);
  return new Map(rows.map(({ name, value }) => [Number(name), String(parseStored(value))]));
}

const deleteSome = `DELETE FROM events WHERE key IN
  (SELECT key FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT 1000)`;
const selectOne = "SELECT key FROM events WHERE key > ? AND key < ? LIMIT 1";
