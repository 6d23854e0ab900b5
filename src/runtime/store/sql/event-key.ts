import { StoreError } from "./sql-driver.ts";

/** How many events one session has room for, and by how much the keys of two neighbouring sessions differ. */
export const keysPerSession = 2 ** 32;
// The largest key must be a whole number that JavaScript holds exactly.
const maxSessionNumber = 2 ** 21 - 1;

/**
 * An event's place in the whole store as one number: the session's number in the high bits, its sequence in the low 32.
 * One number is the fastest key there is, and a session's events still lie side by side in their order.
 */
export function eventKey(sessionNumber: number, sequence: number): number {
  if (sequence >= keysPerSession)
    throw new StoreError(`a session has room for ${keysPerSession - 1} events, and this one is full`);
  return firstKey(sessionNumber) + sequence;
}

/** Below every event of the session: sequences start at 1. */
export function firstKey(sessionNumber: number): number {
  if (sessionNumber > maxSessionNumber)
    throw new StoreError(`a store has room for ${maxSessionNumber} sessions, and this one is full`);
  return sessionNumber * keysPerSession;
}
