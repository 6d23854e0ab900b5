import { setTimeout as delay } from "node:timers/promises";
import { variableStatement } from "../log-entry.ts";
import { parseStored } from "../parse-stored.ts";
import { firstKey, keysPerSession } from "./event-key.ts";
import type { SqlDriver, SqlQuery, SqlStatement } from "./sql-driver.ts";

// By number, the ids of sessions of which nothing is left but the rows of their logs.
const removedScope = "removed-sessions";

/** For a query. */
export const removedNumbers = `SELECT CAST(name AS INTEGER) FROM variables WHERE scope = '${removedScope}'`;

/** Part of the transaction that removes a session, so that whoever is killed after it leaves nothing unknown. */
export function noteRemoved(number: number, id: string): SqlStatement {
  return variableStatement({ scope: removedScope, name: String(number), text: JSON.stringify(id) });
}

export async function readRemoved(query: SqlQuery): Promise<ReadonlyMap<number, string>> {
  const rows = await query("SELECT name, value FROM variables WHERE scope = ?", [removedScope]);
  return new Map(rows.map(({ name, value }) => [Number(name), String(parseStored(value))]));
}

/** Erases their rows, a few at a time and with breaks: everybody else has to wait for as long as a transaction takes. */
export async function eraseRemoved(driver: SqlDriver): Promise<void> {
  for (const number of (await readRemoved(driver.query)).keys()) {
    for (let isLeft = true; isLeft; ) {
      const startedAt = performance.now();
      isLeft = await driver.transaction(async (transaction) => {
        await transaction.run([{ sql: deleteSome, values: rangeOf(number) }]);
        return (await transaction.query(selectOne, rangeOf(number))).length > 0;
      });
      if (isLeft) await delay(performance.now() - startedAt);
    }
    const done = variableStatement({ scope: removedScope, name: String(number), text: undefined });
    await driver.transaction((transaction) => transaction.run([done]));
  }
}

function rangeOf(number: number): [number, number] {
  return [firstKey(number), firstKey(number) + keysPerSession];
}

const deleteSome = `DELETE FROM events WHERE key IN
  (SELECT key FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT 1000)`;
const selectOne = "SELECT key FROM events WHERE key > ? AND key < ? LIMIT 1";
