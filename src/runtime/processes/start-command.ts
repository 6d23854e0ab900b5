import { read, write } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { newId } from "../../shared/new-id.ts";
import { identityOf } from "../../shared/process-identity.ts";
import { captureOutput, type OutputCapture } from "./capture-output.ts";
import { checkCommand } from "./check-command.ts";
import {
  type CommandChannels,
  type CommandSupplies,
  closeChannels,
  closeDescriptor,
  createCommandSupplies,
} from "./command-supplies.ts";
import { type LaunchedShell, launchShell } from "./launch-shell.ts";
import { createOutputFile } from "./output-file.ts";
import { endProcessTree, joinMarker } from "./process-tree.ts";
import { type OutputReader, readDescriptor, readSocket } from "./read-output.ts";
import type { CommandEnd, CommandSpec, OutputStream, RunningCommand } from "./running-command.ts";
import { readReport, trapPrologue, wantsTrapPrologue } from "./shell-prologue.ts";

/**
 * Starts bash with exactly the given bytes, in a group of its own, with nothing to read and nothing inherited. Refuses by a
 * ToolError what cannot be started. With supplies made ahead, no process is started but the command's own.
 */
export async function startCommand(
  spec: CommandSpec,
  supplies: CommandSupplies = createCommandSupplies({ batch: 1 }),
): Promise<RunningCommand> {
  checkCommand(spec.command);
  const marker = joinMarker(spec.marker ?? "unowned", newId("command"));
  const [shell, channels] = await Promise.all([supplies.shell(), supplies.take()]);
  const prepared = await prepare(spec, channels);
  const startedAtMs = performance.now();
  const launched = await launchShell(spec, { shell, channels, marker }).catch(async (error) => {
    await Promise.all([closeChannels(channels), prepared.capture.end()]);
    throw error;
  });
  const readers = readStreams(launched, channels, prepared.capture);
  const ended = followToEnd({ launched, readers, channels, ...prepared, startedAtMs });
  const identity = await identityOf(launched.pid);
  let stopping: Promise<void> | undefined;
  return {
    identity,
    output: prepared.capture.read,
    ended,
    stop() {
      stopping ??= endProcessTree({ leader: identity, marker }).then(async (isGone) => {
        if (isGone) await ended;
      });
      return stopping;
    },
  };
}

interface Prepared {
  readonly capture: OutputCapture;
  /** Where the shell's report begins. */
  readonly reportStart: number;
}

async function prepare(
  { command, outputFile, maxOutputFileBytes, onLines }: CommandSpec,
  channels: CommandChannels,
): Promise<Prepared> {
  try {
    const prologue = wantsTrapPrologue(command) ? trapPrologue : "";
    const [file] = await Promise.all([
      createOutputFile(outputFile, maxOutputFileBytes),
      prologue === "" ? undefined : promisify(write)(channels.report, prologue),
    ]);
    const reportStart = channels.prologueBytes + Buffer.byteLength(prologue);
    return { capture: captureOutput(file, onLines), reportStart };
  } catch (error) {
    await closeChannels(channels);
    throw error;
  }
}

function readStreams(
  { child }: LaunchedShell,
  { pipes }: CommandChannels,
  capture: OutputCapture,
): OutputReader[] {
  const streams: OutputStream[] = ["stdout", "stderr"];
  return streams.map((stream) => {
    const take = (chunk: Buffer) => capture.add(stream, chunk);
    if (pipes === undefined) return readSocket(child[stream] as Socket, take);
    void closeDescriptor(pipes[stream].writer);
    return readDescriptor(pipes[stream].reader, take);
  });
}

interface Followed extends Prepared {
  readonly launched: LaunchedShell;
  readonly readers: readonly OutputReader[];
  readonly channels: CommandChannels;
  readonly startedAtMs: number;
}

async function followToEnd(followed: Followed): Promise<CommandEnd> {
  const { launched, readers, channels, capture, reportStart, startedAtMs } = followed;
  const { exitCode, signal } = await launched.exited;
  const elapsedMs = performance.now() - startedAtMs;
  const [isLeftOpen, finalDirectory] = await Promise.all([
    drain(readers),
    readFinalDirectory(channels.report, reportStart),
  ]);
  await capture.end();
  const directory = finalDirectory === undefined ? {} : { finalDirectory };
  return { exitCode, signal, elapsedMs, leftOpen: isLeftOpen, ...directory };
}

// What was printed before the end is in the pipe already; only what lives on can print more.
const quietMs = 50;
const maxDrainMs = 500;

/** Reads until all of it is closed, or for a moment where something keeps it open. Whether something does. */
async function drain(readers: readonly OutputReader[]): Promise<boolean> {
  const closed = Promise.all(readers.map((reader) => reader.closed)).then(() => true);
  const giveUpAt = performance.now() + maxDrainMs;
  for (;;) {
    const before = readers.reduce((sum, { readBytes }) => sum + readBytes, 0);
    const giveUp = new AbortController();
    const isClosed = await Promise.race([closed, delay(quietMs, false, giveUp)]);
    giveUp.abort();
    if (isClosed) return false;
    const after = readers.reduce((sum, { readBytes }) => sum + readBytes, 0);
    const isBusy = after > before || readers.some(({ isHeldBack }) => isHeldBack);
    if (isBusy && performance.now() < giveUpAt) continue;
    for (const reader of readers) reader.letGo();
    return true;
  }
}

const maxReportBytes = 8 * 1024;

async function readFinalDirectory(report: number, start: number): Promise<string | undefined> {
  try {
    const memory = Buffer.allocUnsafe(maxReportBytes);
    const { bytesRead } = await promisify(read)(report, memory, 0, memory.length, start);
    return readReport(memory.subarray(0, bytesRead));
  } catch {
    return undefined;
  } finally {
    void closeDescriptor(report);
  }
}
