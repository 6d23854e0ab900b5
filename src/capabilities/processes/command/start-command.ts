import type { Socket } from "node:net";
import { endProcessTree, isTreeRunning } from "../../../machine/child/index.ts";
import { settlesWithin } from "../../../shared/maybe-promise.ts";
import { newId } from "../../../shared/new-id.ts";
import { once } from "../../../shared/once.ts";
import { joinMarker } from "../../../shared/process-environment.ts";
import { identityOf } from "../../../shared/process-identity.ts";
import { captureOutput, type OutputCapture } from "../output/capture-output.ts";
import { createOutputFile } from "../output/output-file.ts";
import { maxReadBytes, type OutputReader, readDescriptor, readSocket } from "../output/read-output.ts";
import { checkCommand } from "./check-command.ts";
import {
  type CommandSupplies,
  type CommandSupply,
  closeSupply,
  createCommandSupplies,
} from "./command-supplies.ts";
import { type LaunchedShell, launchShell } from "./launch-shell.ts";
import type { CommandEnd, CommandSpec, OutputStream, RunningCommand } from "./running-command.ts";
import { isTrapFree } from "./shell-prologue.ts";
import { closeDescriptor, readShellReport } from "./shell-report.ts";

/**
 * Starts bash with the command unchanged, in its own process group, with no input and nothing inherited. Throws a
 * ToolError if it cannot start. With supplies made ahead, it starts no process but the command's own.
 */
export async function startCommand(
  spec: CommandSpec,
  supplies: CommandSupplies = createCommandSupplies({ batch: 1 }),
): Promise<RunningCommand> {
  checkCommand(spec.command);
  const marker = joinMarker(spec.marker ?? "unowned", newId("command"));
  const supply = await supplies.take(spec);
  const { launched, capture, startedAtMs } = await launch(spec, supply, marker).catch(async (error) => {
    await closeSupply(supply);
    throw error;
  });
  const readers = readStreams(launched, supply, capture);
  const identifying = identityOf(launched.pid);
  let isBeingEnded = false;
  const ended = launched.exited.then(async (exit): Promise<CommandEnd> => {
    const elapsedMs = performance.now() - startedAtMs;
    const [leftOpen, finalDirectory] = await Promise.all([
      drain(readers, {
        isBeingEnded: () => isBeingEnded,
        isAnyRunning: async () => isTreeRunning({ leader: await identifying, marker }),
      }),
      findFinalDirectory(supply, spec.directory),
    ]);
    await capture.end();
    return { ...exit, elapsedMs, leftOpen, finalDirectory };
  });
  const identity = await identifying;
  const endTree = async () => {
    isBeingEnded = true;
    const isGone = await endProcessTree({
      leader: identity,
      marker,
      isWrapped: launched.isWrapped,
      isTrapFree: isTrapFree(spec.command),
    });
    isBeingEnded = false;
    if (isGone) await ended;
  };
  return { identity, output: capture.read, ended, stop: once(endTree) };
}

async function launch(spec: CommandSpec, supply: CommandSupply, marker: string) {
  const file = await createOutputFile(spec.outputFile, spec.maxOutputFileBytes);
  const capture = captureOutput(file, spec);
  const startedAtMs = performance.now();
  try {
    return { launched: await launchShell(spec, supply, marker), capture, startedAtMs };
  } catch (error) {
    await capture.end();
    throw error;
  }
}

function readStreams(
  { child }: LaunchedShell,
  { pipes }: CommandSupply,
  capture: OutputCapture,
): OutputReader[] {
  const streams: OutputStream[] = ["stdout", "stderr"];
  const memory = Buffer.allocUnsafeSlow(maxReadBytes);
  return streams.map((stream) => {
    const take = (chunk: Buffer) => capture.add(stream, chunk);
    if (pipes === undefined) return readSocket(child[stream] as Socket, take);
    void closeDescriptor(pipes[stream].writer);
    return readDescriptor(pipes[stream].reader, take, memory);
  });
}

// Output from before the end is already in the pipe; only processes that are still running can print more.
const quietMs = 50;
// Counted, not timed: if this process is busy and looks late, it must not miss output that came meanwhile.
const maxLooks = 10;

/**
 * Reads until both outputs are closed, or for a moment if a process of the command holds them open. Returns whether one
 * does. Others hold them too, for an instant: a process of ours that is about to become another command has a copy of all
 * that is open here, and on a busy machine that instant is long.
 */
async function drain(
  readers: readonly OutputReader[],
  { isBeingEnded, isAnyRunning }: { isBeingEnded: () => boolean; isAnyRunning: () => Promise<boolean> },
): Promise<boolean> {
  const closed = Promise.all(readers.map((reader) => reader.closed));
  for (let looks = 1; ; looks++) {
    const before = readers.reduce((sum, { readBytes }) => sum + readBytes, 0);
    if (await settlesWithin(closed, quietMs)) return false;
    // A late timer fires before pending input is read.
    await new Promise((resolve) => setImmediate(resolve));
    const after = readers.reduce((sum, { readBytes }) => sum + readBytes, 0);
    const isBusy = after > before || readers.some(({ isHeldBack }) => isHeldBack);
    // Processes that are being ended will close it, though not all at the same moment.
    if (isBeingEnded() || (looks < maxLooks && (isBusy || !(await isAnyRunning())))) continue;
    for (const reader of readers) reader.discard();
    return true;
  }
}

async function findFinalDirectory({ report }: CommandSupply, directory: string): Promise<string | undefined> {
  if (report === undefined) return directory;
  const found = await readShellReport(report).catch(() => undefined);
  void closeDescriptor(report.descriptor);
  return found;
}
