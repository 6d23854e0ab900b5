import { StoreError } from "../store.ts";

/** The number of keys reserved for each session, and so the distance between the keys of two sessions. */
export const keysPerSession = 2 ** 32;
/** The largest key must be a safe integer. */
export const maxSessionNumber = 2 ** 21 - 1;

/**
 * An event's place in the whole store: the session's number in the high bits, the event's sequence in the low 32.
 * A single integer is the fastest key, and it keeps a session's events side by side, in order.
 */
export function eventKey(sessionNumber: number, sequence: number): number {
  // No session is given a larger number.
  if (sessionNumber > maxSessionNumber)
    throw new StoreError(
      `the record of the session is damaged: its number, ${sessionNumber}, is out of range; docs/operations.md says how to get out what can be read`,
    );
  if (sequence >= keysPerSession)
    throw new StoreError(`the session is full: it has ${keysPerSession - 1} events`);
  return firstKey(sessionNumber) + sequence;
}

/** Less than the key of every event of the session, because sequences start at 1. */
export function firstKey(sessionNumber: number): number {
  return sessionNumber * keysPerSession;
}

/** The events of a session have keys between these two. */
export function keyRange(sessionNumber: number): readonly [after: number, before: number] {
  const first = firstKey(sessionNumber);
  return [first, first + keysPerSession];
}
