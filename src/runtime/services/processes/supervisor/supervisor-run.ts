import { ownIdentity } from "../../../../shared/process-identity.ts";
import type { WrappedProgram } from "../../../sandbox/sandbox.ts";
import { endLeftovers } from "../command/process-tree.ts";
import { startCommand } from "../command/start-command.ts";
import { describeEnd, type StopReason, startTimer } from "../jobs/job-process.ts";
import { writeStatus } from "../jobs/job-status.ts";
import { firstHandedDescriptor, type SupervisorAnswer, type SupervisorOrder } from "./supervisor-order.ts";

/**
 * Runs a kept job from its start to its end in a process of its own, which outlives the one that asked for it: logs
 * what the job prints, ends it when its time is up or when asked to, and leaves word of how it ended.
 */
export async function runSupervisor(
  { record, statusFile, command, wrapped, timeoutMs }: SupervisorOrder,
  answer: (answer: SupervisorAnswer) => void,
): Promise<void> {
  const askedToStop = Promise.withResolvers<StopReason>();
  process.on("SIGTERM", () => askedToStop.resolve("killed"));
  // It has no terminal, and nobody's leaving is meant for it.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});

  const running = await startCommand({
    ...command,
    ...(wrapped !== undefined && { wrap: async () => handedProgram(wrapped) }),
  });
  const status = { record: { ...record, identity: await ownIdentity() }, program: running.identity };
  await writeStatus(statusFile, status).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  answer({ identity: status.record.identity });

  let stopped: StopReason | undefined;
  const timer = startTimer(timeoutMs, () => askedToStop.resolve("timed-out"));
  // What was wrapped carries a marker of its own, by which alone it can be asked to end.
  const endMarked = async () => record.marker !== undefined && endLeftovers(record.marker);
  askedToStop.promise.then(async (reason) => {
    stopped = reason;
    await endMarked();
    await running.stop();
  });
  const end = describeEnd(await running.ended, stopped);
  clearTimeout(timer);
  // Nobody would look after what it left behind.
  await running.stop();
  await endMarked();
  await writeStatus(statusFile, { ...status, end });
}

/** Wrapped before it came here; its descriptors were handed to this process under the numbers that it expects. */
function handedProgram({
  descriptorCount,
  ...wrapped
}: NonNullable<SupervisorOrder["wrapped"]>): WrappedProgram {
  const descriptors = Array.from({ length: descriptorCount }, (_, index) => firstHandedDescriptor + index);
  return { ...wrapped, descriptors, release: async () => {} };
}
