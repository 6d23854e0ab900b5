/** Starts commands that never end, in every way, and says when each runs: `<workspace> <store> <sandbox> <mark>`. */
import { openRuntime } from "../../src/open-runtime.ts";
import { hostile } from "../capabilities/isolated/hostile-module.ts";
import { until } from "../support/until.ts";
import { findMarked } from "./find-marked.ts";

const [workspace = "", store = "", sandbox = "", mark = ""] = process.argv.slice(2);
const runtime = await openRuntime({
  ...{ workspace, store, tools: [hostile] },
  ...(sandbox === "off" && { sandbox }),
  permissions: { mode: "auto" },
});
const session = await runtime.openSession({ id: "killed" });
const sleep = (number: number) => `sleep 600.${mark}${number}`;
const commands = [
  sleep(1),
  `${sleep(2)} & setsid ${sleep(3)} & wait`,
  `(setsid nohup ${sleep(4)} >/dev/null 2>&1 &); ${sleep(5)}`,
  // Nothing of ours is left in it, so only the sandbox can end it.
  ...(sandbox === "off" ? [] : [`env -i setsid ${sleep(6)} & wait`]),
];
void session.call("hostile", { deed: "loop for ever" });
void session.call("shell_run", { command: sleep(7), run_in_background: true });
for (const command of commands) void session.call("shell_run", { command });
const expected = sandbox === "off" ? 6 : 7;
let told = 0;
await until(async () => {
  const found = (await findMarked(mark)).length;
  for (; told < found; told++) console.log(told + 1);
  return found >= expected;
});
console.log("all");
await new Promise(() => {});
