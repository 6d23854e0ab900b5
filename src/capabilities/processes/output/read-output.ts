import { Socket } from "node:net";

/** Reads one output of a command. */
export interface OutputReader {
  /** Resolves when no process can write to it any more. */
  readonly closed: Promise<void>;
  /** Bytes read so far. */
  readonly readBytes: number;
  /** Whether reading is paused until earlier output is stored. */
  readonly isHeldBack: boolean;
  /** Discards everything that still arrives. */
  discard(): void;
}

/** Takes a chunk, whose memory is reused afterwards; a returned promise delays the next one. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** Reads from a descriptor into reused memory, which readers may share because each consumes its chunk immediately. */
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

/** The capacity of a pipe. */
export const maxReadBytes = 64 * 1024;

// A process left running must not die of a closed pipe, nor keep us busy; its output is discarded at this interval.
const discardEveryMs = 100;

function createReading(take: TakeChunk) {
  let socket: Socket;
  let readBytes = 0;
  let isHeldBack = false;
  let isDiscarding = false;

  const resumeLater = () => setTimeout(() => socket.resume(), discardEveryMs).unref();

  return {
    /** Returns whether to continue reading immediately. */
    read(chunk: Buffer): boolean {
      readBytes += chunk.length;
      if (isDiscarding) {
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
        // Nothing more comes from a broken pipe; its `close` event follows.
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
        discard() {
          isDiscarding = true;
          socket.unref();
        },
      };
    },
  };
}
