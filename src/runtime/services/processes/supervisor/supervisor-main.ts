import { text } from "node:stream/consumers";
import { parseOrder, type SupervisorAnswer } from "./supervisor-order.ts";
import { runSupervisor } from "./supervisor-run.ts";

/** The program a supervisor runs: an order on its input, an answer on its output. */
const order = parseOrder(await text(process.stdin));
if (order !== undefined) {
  // Whoever asked may be gone by now.
  process.stdout.on("error", () => {});
  const answer = (said: SupervisorAnswer) => process.stdout.end(JSON.stringify(said));
  await runSupervisor(order, answer).catch((error: Error) => answer({ failure: error.message }));
}
// Whatever still holds its end of a pipe does not keep this process.
process.exit();
