import { isPlainObject } from "../../shared/json.ts";
import type { LogRow } from "./chain-hash.ts";
import type { KeptKind } from "./kept/kept-kind.ts";
import { createFileReplay } from "./kept/replay.ts";
import { type BrokenLink, createLogCheck, type LogCheck } from "./log-check.ts";
import { parseObject } from "./parse-stored.ts";
import {
  describeSessionIdRule,
  type ExportedSession,
  isSessionId,
  type LogClaims,
  type Store,
  StoreError,
} from "./store.ts";

const format = "toolwright-session-1";
const pageSize = 500;

/** Exports a session's log with its chain, as lines of JSON: a header, then a line for each event. */
export async function* exportLog(store: Store, id: string): AsyncGenerator<string> {
  const session = (await store.listSessions()).find((each) => each.id === id);
  if (session === undefined) throw new StoreError(`no session ${JSON.stringify(id)}`);
  const { anchor: _anchor, ...claims } = await store.rawLogs.readClaims(id);
  yield JSON.stringify({ format, session, claims });
  for (let since = 0; since < claims.lastSequence; ) {
    const rows = await store.rawLogs.readRows(id, { since, limit: pageSize });
    for (const row of rows) if (row.sequence <= claims.lastSequence) yield JSON.stringify(row);
    if (rows.length < pageSize) return;
    since = rows.at(-1)!.sequence;
  }
}

/**
 * Adds an exported session to those of a workspace, if every hash of its log is right, with the kept state that its log
 * tells. All or nothing.
 */
export async function importLog(
  { store, workspace, kinds }: { store: Store; workspace: string; kinds: readonly KeptKind[] },
  lines: AsyncIterable<string>,
): Promise<{ readonly id: string; readonly events: number }> {
  const values = parseLines(lines);
  const first = await values.next();
  if (first.done) throw new StoreError("it is empty");
  const { session, claims } = readHeader(first.value.value);
  const check = createLogCheck(session.id, claims);
  const told = createFileReplay(kinds, session.id);
  const rows = checkedRows(values, { check, told });
  // Its log goes on telling where it was.
  await store.maintenance.importSession({ ...session, workspace }, { rows, claims, variables: told.writes });
  return { id: session.id, events: check.events };
}

async function* checkedRows(
  lines: ReturnType<typeof parseLines>,
  { check, told }: { check: LogCheck; told: ReturnType<typeof createFileReplay> },
): AsyncGenerator<LogRow> {
  for await (const { value, number } of lines) {
    const row = readRow(value, number);
    // Events after the end would not be checked.
    if (check.isComplete()) throw new StoreError("there are events after its end");
    throwIfBroken(check.take(row));
    told.take(row);
    yield row;
  }
  throwIfBroken(check.finish());
}

function throwIfBroken(broken: BrokenLink | undefined): void {
  if (broken === undefined) return;
  throw new StoreError(`the log is broken at event ${broken.sequence}: ${broken.reason}`);
}

async function* parseLines(lines: AsyncIterable<string>) {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line === "") continue;
    const value = parseObject(line);
    if (value === undefined) throw new StoreError(`line ${number} is not a JSON object`);
    yield { value, number };
  }
}

function readHeader({ format: written, session, claims }: Readonly<Record<string, unknown>>) {
  if (written !== format || !isPlainObject(session) || !isPlainObject(claims))
    throw new StoreError("it is not what `toolwright export` prints");
  const texts = [session.id, session.taskId, session.workspace, session.createdAt, session.openedAt];
  const isWhole =
    texts.every((text) => typeof text === "string") &&
    ["string", "undefined"].includes(typeof session.dialect) &&
    typeof claims.lastSequence === "number" &&
    (claims.end === undefined || hasFields(claims.end, endFields)) &&
    (claims.former === undefined || hasFields(claims.former, formerFields));
  if (!isWhole) throw new StoreError("its first line is incomplete");
  // A file that was written by hand could name a folder that is not the session's.
  if (!isSessionId(String(session.id))) throw new StoreError(describeSessionIdRule(String(session.id)));
  return { session, claims } as unknown as { session: ExportedSession; claims: LogClaims };
}

const endFields = { receipts: "number", sequence: "number", hash: "string", at: "string" } as const;
const formerFields = { until: "number", receipts: "number", hash: "string" } as const;

function readRow(value: Readonly<Record<string, unknown>>, number: number): LogRow {
  const isRow =
    hasFields(value, { sequence: "number", at: "string", channel: "string", body: "string" }) &&
    [value.hash, value.callId, value.previousHash].every(
      (each) => each === null || typeof each === "string",
    ) &&
    (value.position === null || typeof value.position === "number");
  if (!isRow) throw new StoreError(`line ${number} is not an event`);
  return value as unknown as LogRow;
}

function hasFields(value: unknown, types: Readonly<Record<string, "string" | "number">>): boolean {
  return isPlainObject(value) && Object.entries(types).every(([name, type]) => typeof value[name] === type);
}
