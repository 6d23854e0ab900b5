import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
// Not published, so imported from the source, which Node can run directly.
import { openStore } from "../../src/kernel/store/open-store.ts";
import { endEvent, startEvent } from "../call/call-events.mjs";

/**
 * Writes the two events of a call to SQLite: through the store with its chain of receipts, and with bare statements with
 * the same durability (write-ahead log, synchronous NORMAL) and the same bodies. Both use two commits, which calls made at
 * once share.
 */
export async function openStoreAppend(stateFolder) {
  return [openRaw(join(stateFolder, "raw.sqlite")), await openOurs(join(stateFolder, "store.sqlite"))];
}

function openRaw(file) {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
  database.exec("CREATE TABLE events (id INTEGER PRIMARY KEY, at TEXT NOT NULL, body TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO events (at, body) VALUES (?, ?)");
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")];
  const append = (event, count) => {
    begin.run();
    for (let index = 0; index < count; index++) insert.run(new Date().toISOString(), JSON.stringify(event));
    commit.run();
  };
  return {
    name: "raw SQLite, two rows and two commits",
    close: async () => database.close(),
    callMany: async (count) => {
      append(startEvent, count);
      append(endEvent, count);
    },
  };
}

async function openOurs(file) {
  const store = await openStore(`sqlite:${file}`, { defaultFile: file });
  await store.openSession({ id: "bench", workspace: "/" });
  return {
    name: "Toolwright's store alone, SQLite",
    close: () => store.close(),
    call: async () => {
      await store.append("bench", { events: [startEvent] });
      await store.append("bench", { events: [endEvent] });
    },
  };
}
