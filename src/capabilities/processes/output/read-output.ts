import { Socket } from "node:net";

export type OutputReader = ReturnType<typeof readFrom>;

/** Takes a chunk, whose memory is reused afterwards; a returned promise delays the next one. */
type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

/** Reads from a descriptor into reused memory, which readers may share because each consumes its chunk immediately. */
export function readDescriptor(descriptor: number, take: TakeChunk, memory: Buffer): OutputReader {
  return readFrom(take, (read) => {
    const callback = (bytes: number) => read(memory.subarray(0, bytes));
    return new Socket({
      ...{ fd: descriptor, readable: true, writable: false },
      onread: { buffer: memory, callback },
    });
  });
}

/** Reads from a pipe that Node made. */
export function readSocket(socket: Socket, take: TakeChunk): OutputReader {
  return readFrom(take, (read) =>
    socket.on("data", (chunk: Buffer) => {
      if (!read(chunk)) socket.pause();
    }),
  );
}

/** The capacity of a pipe. */
export const maxReadBytes = 64 * 1024;

// A process left running must not die of a closed pipe, nor keep us busy; its output is discarded at this interval.
const discardEveryMs = 100;

/** Reads one output of a command. The socket calls `read` with each chunk, which returns whether to continue immediately. */
function readFrom(take: TakeChunk, open: (read: (chunk: Buffer) => boolean) => Socket) {
  let readBytes = 0;
  let isHeldBack = false;
  let isDiscarding = false;
  const socket = open((chunk) => {
    readBytes += chunk.length;
    if (isDiscarding) {
      setTimeout(() => socket.resume(), discardEveryMs).unref();
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
  });
  const closed = new Promise<void>((resolve) => {
    // Nothing more comes from a broken pipe; its `close` event follows.
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
  socket.on("end", () => socket.destroy());
  socket.resume();
  return {
    /** Resolves when no process can write to the output any more. */
    closed,
    /** Bytes read so far. */
    get readBytes() {
      return readBytes;
    },
    /** Whether reading is paused until earlier output is stored. */
    get isHeldBack() {
      return isHeldBack;
    },
    /** Discards everything that still arrives. */
    discard(): void {
      isDiscarding = true;
      socket.unref();
    },
  };
}
