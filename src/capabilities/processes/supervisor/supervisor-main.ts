import { text } from "node:stream/consumers";
import { endLeftovers } from "../../../machine/child/index.ts";
import type { WrappedProgram } from "../../../machine/sandbox/index.ts";
import { ownIdentity } from "../../../shared/process-identity.ts";
import { startCommand } from "../command/start-command.ts";
import { writeStatus } from "../jobs/job-folder.ts";
import { describeEnd, type StopReason, startTimer } from "../jobs/job-process.ts";
import {
  firstHandedDescriptor,
  parseOrder,
  type SupervisorAnswer,
  type SupervisorOrder,
} from "./supervisor-order.ts";

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

/**
 * Runs a kept job from start to end, in a process that outlives the one that asked for it: logs the job's output, ends
 * it on timeout or on SIGTERM, and records how it ended.
 */
async function runSupervisor(
  { record, statusFile, command, wrapped, timeoutMs }: SupervisorOrder,
  answer: (answer: SupervisorAnswer) => void,
): Promise<void> {
  const askedToStop = Promise.withResolvers<StopReason>();
  process.on("SIGTERM", () => askedToStop.resolve("killed"));
  // A closing terminal or Ctrl-C must not end it.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});

  const running = await startCommand({ ...command, wrap: wrapped && (async () => handedProgram(wrapped)) });
  const status = { record: { ...record, identity: await ownIdentity() }, program: running.identity };
  await writeStatus(statusFile, status).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  answer({ identity: status.record.identity });

  let stopped: StopReason | undefined;
  const timer = startTimer(timeoutMs, () => askedToStop.resolve("timed-out"));
  // A wrapped program has its own marker, and only by that can it be asked to end.
  const endMarked = async () => record.marker !== undefined && endLeftovers(record.marker);
  askedToStop.promise.then(async (reason) => {
    stopped = reason;
    await endMarked();
    await running.stop();
  });
  const end = describeEnd(await running.ended, stopped);
  clearTimeout(timer);
  // Ends leftover processes, which would run on without a supervisor.
  await running.stop();
  await endMarked();
  await writeStatus(statusFile, { ...status, end });
}

/** Already wrapped by the process that gave the order; its descriptors were passed on under the expected numbers. */
function handedProgram(wrapped: NonNullable<SupervisorOrder["wrapped"]>): WrappedProgram {
  const { descriptorCount: length, ...program } = wrapped;
  const descriptors = Array.from({ length }, (_, index) => firstHandedDescriptor + index);
  return { ...program, descriptors, release: async () => {} };
}
