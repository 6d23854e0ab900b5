/** Begins to back a store up, and says where its draft is instead of completing it: `<store file> <copy>`. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const [file = "", copy = ""] = process.argv.slice(2);
fs.rename = async (draft) => {
  console.log(draft);
  await new Promise(() => process.stdin.resume());
};
syncBuiltinESMExports();

const { openStore } = await import("../../../src/kernel/store/open-store.ts");
const store = await openStore(`sqlite:${file}`, { defaultFile: file });
await store.maintenance.backUp!(copy);
