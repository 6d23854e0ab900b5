/** Holds the write lock of a database until it gets a word: `<file>`. */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

const [file = ""] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5000 });
database.exec("BEGIN IMMEDIATE");
console.log("locked");
await once(process.stdin, "data");
database.exec("COMMIT");
database.close();
