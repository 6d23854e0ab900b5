/** Holds and releases placeholders in a folder until it is killed: `<folder>`. */
import { join } from "node:path";
import { sharedPlaceholders } from "../../../../src/machine/sandbox/protected/placeholders.ts";

const [folder = ""] = process.argv.slice(2);
const placeholders = sharedPlaceholders();
const wanted = ["a", "b", "c"].map((name) => ({ path: join(folder, name) }));
for (;;) {
  const held = await placeholders.hold(wanted);
  console.log("held");
  await placeholders.release(held);
}
