import {
  closeNow,
  constants,
  existsNow,
  fstatNow,
  openNow,
  readNow,
  writeNow,
} from "../../../machine/locks/index.ts";
import type { LogAnchor } from "../store.ts";
import { keysPerSession, maxSessionNumber } from "./event-key.ts";

/**
 * The ends of all logs, in a file beside the store: if the store loses its newest part, or a session, this still tells.
 * An anchor is written after its events, so it may lag behind the log, and is never ahead of it.
 */
export type LogAnchors = ReturnType<typeof openLogAnchors>;

// Sessions are numbered from 1, so the first place is free. No place lies in two pages of the disk.
const placeBytes = 128;

export function openLogAnchors(file: string) {
  const unwritten = new Map<number, LogAnchor>();
  let descriptor: number | undefined;
  let writing: NodeJS.Immediate | undefined;

  const open = (isToWrite: boolean): number | undefined => {
    if (descriptor === undefined && (isToWrite || existsNow(file)))
      descriptor = openNow(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    return descriptor;
  };
  /**
   * Does without anchors where they cannot be read: the folder may be another file, or belong to another user. The store
   * opens all the same, and verifying the log reports it.
   */
  const unlessUnreadable = <Result>(work: () => Result, otherwise: Result): Result => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };

  const write = () => {
    clearImmediate(writing);
    writing = undefined;
    const heads = [...unwritten];
    unwritten.clear();
    try {
      for (const [number, head] of heads) writePlace(number, toText(head));
    } catch {
      // A full disk, or a folder that is gone: the older anchors still hold.
    }
  };

  const writePlace = (number: number, text: string) =>
    void writeNow(open(true)!, text.padEnd(placeBytes - 1).concat("\n"), number * placeBytes, "latin1");

  const read = (number: number) =>
    unlessUnreadable<LogAnchor | null | undefined>(() => {
      const opened = open(false);
      if (opened === undefined) return undefined;
      const place = Buffer.alloc(placeBytes);
      readNow(opened, place, 0, placeBytes, number * placeBytes);
      return fromText(place.toString("latin1"));
    }, null);

  /**
   * Counts the places in the file, up to the largest number of sessions, because anything may have been added to the
   * file.
   */
  const countPlaces = (): number =>
    unlessUnreadable(() => {
      const opened = open(false);
      if (opened === undefined) return 0;
      return Math.min(Math.ceil(fstatNow(opened).size / placeBytes), maxSessionNumber + 1);
    }, 0);

  return {
    /** Undefined if there is no anchor, null if it cannot be read. */
    read(number: number) {
      write();
      return read(number);
    },
    /** Notes the end of a log, which is written once in each turn of the event loop. */
    note(number: number, head: LogAnchor) {
      unwritten.set(number, head);
      writing ??= setImmediate(write);
    },
    remove(number: number) {
      unwritten.delete(number);
      if (open(false) !== undefined) writePlace(number, "");
    },
    /** The numbers of the sessions that have an anchor. */
    numbers() {
      write();
      const all = Array.from({ length: countPlaces() }, (_, number) => number);
      return all.filter((number) => read(number) !== undefined);
    },
    /** The highest number of all sessions that ever had an anchor. */
    highestNumber: () => Math.max(0, countPlaces() - 1),
    close() {
      write();
      if (descriptor !== undefined) closeNow(descriptor);
      descriptor = undefined;
    },
  };
}

function toText({ sequence, hash }: LogAnchor): string {
  return `${sequence} ${hash}`;
}

function fromText(text: string): LogAnchor | null | undefined {
  // Places that were never written are zero bytes.
  const written = text.replaceAll("\0", "").trim();
  if (written === "") return undefined;
  const [, sequence, hash] = /^(\d{1,10}) ([0-9a-f]{64})$/.exec(written) ?? [];
  return hash === undefined || Number(sequence) >= keysPerSession
    ? null
    : { sequence: Number(sequence), hash };
}
