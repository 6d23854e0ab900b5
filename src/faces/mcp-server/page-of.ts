import type { ServerSdk } from "./load-server-sdk.ts";

/** One page of a list, and the cursor of the next page. Throws for a cursor that this server did not issue. */
export function pageOf<Item>(
  items: readonly Item[],
  { cursor, pageSize, sdk }: { cursor: string | undefined; pageSize: number; sdk: ServerSdk },
): { items: readonly Item[]; nextCursor: string | undefined } {
  const start = startOf(cursor, sdk);
  const end = start + pageSize;
  return { items: items.slice(start, end), nextCursor: end < items.length ? toCursor(end) : undefined };
}

function toCursor(start: number): string {
  return Buffer.from(`from ${start}`).toString("base64url");
}

export function startOf(cursor: string | undefined, { ProtocolError, ProtocolErrorCode }: ServerSdk): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^from (\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (digits !== undefined && toCursor(Number(digits)) === cursor) return Number(digits);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor was not issued by this server");
}
