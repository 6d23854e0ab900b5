import { setTimeout as delay } from "node:timers/promises";
import type { ProcessLives } from "../../../machine/locks/index.ts";
import { toVariableText, variableStatement } from "../log-entry.ts";
import { parseStored } from "../parse-stored.ts";
import { keyRange } from "./event-key.ts";
import type { SqlDriver, SqlQuery, SqlStatement } from "./sql-driver.ts";

/**
 * The ids of sessions of which nothing is left but the rows of their logs. Written in the transaction that removes a
 * session, so that rows left by a process that is killed afterwards are still known.
 */
export const removedLogs = notesIn("removed-sessions");

/**
 * The processes that add a session, of which there is nothing yet but rows of its log. Written before the first row, for
 * the same reason.
 */
export const importedLogs = notesIn("imported-sessions");

/** For a query: the numbers of rows whose session was removed. */
export const removedNumbers = `SELECT CAST(name AS INTEGER) AS number FROM variables
  WHERE scope IN ('${removedLogs.scope}', '${importedLogs.scope}')`;

/** Notes about logs, by their numbers. */
function notesIn(scope: string) {
  return {
    scope,
    /** Writes a note, or removes it if none is given. */
    write: (number: number, note?: string) =>
      variableStatement(toVariableText({ scope, name: String(number), value: note })),
    async read(query: SqlQuery): Promise<ReadonlyMap<number, string>> {
      const rows = await query("SELECT name, value FROM variables WHERE scope = ?", [scope]);
      return new Map(rows.map(({ name, value }) => [Number(name), String(parseStored(value))]));
    },
  };
}

/** Erases the rows of removed sessions, and of those that a process was killed over while it added them. */
export async function eraseRemoved(driver: SqlDriver, lives: Pick<ProcessLives, "isAlive">): Promise<void> {
  for (const number of (await removedLogs.read(driver.query)).keys())
    await eraseLog(driver, number, removedLogs.write(number));
  for (const [number, importer] of await importedLogs.read(driver.query))
    if (!lives.isAlive(importer)) await eraseLog(driver, number, importedLogs.write(number));
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

const deleteSome = `DELETE FROM events WHERE key IN
  (SELECT key FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT 1000)`;
const selectOne = "SELECT key FROM events WHERE key > ? AND key < ? LIMIT 1";
