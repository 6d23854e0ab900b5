import { Socket } from "node:net";

/** One end of a pipe that is being read. */
export interface OutputReader {
  /** When nobody can write to it any more. */
  readonly closed: Promise<void>;
  /** Grows while something comes. */
  readonly readBytes: number;
  /** Nothing is read until what came before is stored. */
  readonly isHeldBack: boolean;
  /** Nothing of what still comes is wanted. */
  letGo(): void;
}

/** Takes a chunk, whose memory is used again afterwards; a promise holds back the next one. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** Reads from a descriptor into the same memory over and over; several readers may share it, for each takes its chunk at once. */
export function readDescriptor(descriptor: number, take: TakeChunk, memory: Buffer): OutputReader {
  const reading = createReading(take);
  const socket = new Socket({
    fd: descriptor,
    readable: true,
    writable: false,
    onread: { buffer: memory, callback: (bytes) => reading.read(memory.subarray(0, bytes)) },
  });
  return reading.attach(socket);
}

/** Reads from a pipe that Node made. */
export function readSocket(socket: Socket, take: TakeChunk): OutputReader {
  const reading = createReading(take);
  socket.on("data", (chunk: Buffer) => {
    if (!reading.read(chunk)) socket.pause();
  });
  return reading.attach(socket);
}

/** As much as a pipe holds. */
export const maxReadBytes = 64 * 1024;

// What is left running must not die of a closed pipe as soon as it prints, nor keep us busy: it gets this turn to print.
const discardEveryMs = 100;

function createReading(take: TakeChunk) {
  let socket: Socket;
  let readBytes = 0;
  let isHeldBack = false;
  let isLetGo = false;

  const resumeLater = () => setTimeout(() => socket.resume(), discardEveryMs).unref();

  return {
    /** Whether to go on at once. */
    read(chunk: Buffer): boolean {
      readBytes += chunk.length;
      if (isLetGo) {
        resumeLater();
        return false;
      }
      const stored = take(chunk);
      if (stored === undefined) return true;
      isHeldBack = true;
      stored.finally(() => {
        isHeldBack = false;
        socket.resume();
      });
      return false;
    },
    attach(attached: Socket): OutputReader {
      socket = attached;
      const closed = new Promise<void>((resolve) => {
        // A broken pipe has said all it will, too; its end follows.
        socket.on("error", () => {});
        socket.on("close", () => resolve());
      });
      socket.on("end", () => socket.destroy());
      socket.resume();
      return {
        closed,
        get readBytes() {
          return readBytes;
        },
        get isHeldBack() {
          return isHeldBack;
        },
        letGo() {
          isLetGo = true;
          socket.unref();
        },
      };
    },
  };
}
