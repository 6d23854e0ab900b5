import { text } from "node:stream/consumers";
import { parseOrder, type SupervisorAnswer } from "./supervisor-order.ts";
import { runSupervisor } from "./supervisor-run.ts";

/** The supervisor's main program: reads an order from stdin and writes an answer to stdout. */
const order = parseOrder(await text(process.stdin));
if (order !== undefined) {
  // The process that asked may be gone by now.
  process.stdout.on("error", () => {});
  const answer = (said: SupervisorAnswer) => process.stdout.end(JSON.stringify(said));
  await runSupervisor(order, answer).catch((error: Error) => answer({ failure: error.message }));
}
// Exits even if another process still holds one of the pipes.
process.exit();
