import type { Receipt } from "../../../kernel/events/index.ts";
import {
  type ChainReport,
  type DamagedVariable,
  findDamagedVariables,
  type ReceiptQuery,
  type Store,
  verifyChain,
} from "../../../kernel/store/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { type Command, type ExitCode, exitCodes, type Invocation, UsageError } from "../command.ts";
import { columnsOf, cutToColumns } from "../display/cut-to-columns.ts";
import { describeReceipt, summarizeReceipt } from "../display/describe-receipt.ts";
import { formatColumns, stdoutColumns, withoutStyles } from "../display/format-columns.ts";
import { checkSession, withStore } from "../open/with-store.ts";
import { readPositiveInteger } from "../read-values.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

export default {
  usage: "[<callId>]",
  arguments: [0, 1],
  flags: ["limit", "verify"],
  example: "--limit 5",
  note: "--json prints one object per line.",

  async run(invocation) {
    const { arguments: given, flags } = invocation;
    const limit = readPositiveInteger("--limit", flags.limit ?? "20");
    return withStore(flags, async (store) => {
      await checkSession(flags.session, store);
      if (flags.verify) return verify(store, invocation);
      if (given[0] !== undefined) return showOne(store, given[0], invocation);
      return showNewest(store, limit, invocation);
    });
  },
} satisfies Command;

async function verify(store: Store, { arguments: given, flags, output }: Invocation): Promise<ExitCode> {
  if (given[0] !== undefined) throw new UsageError("--verify checks whole sessions; name one with --session");
  const ids = flags.session === undefined ? await store.rawLogs.list() : [flags.session];
  const { keptKinds } = await import("../../../capabilities.ts");
  let isWhole = true;
  const told = new Set<string>();
  for (const id of ids) {
    const report = await verifyChain(store, id, keptKinds);
    for (const variable of report.damaged ?? []) told.add(describeDamaged(variable));
    if (report.broken !== undefined || report.damaged !== undefined) isWhole = false;
    const line = flags.json ? JSON.stringify(report) : formatReport(report, output);
    await output.write(`${line}\n`);
  }
  if (ids.length === 0) await output.tell("no sessions yet");
  if (flags.session !== undefined) return isWhole ? exitCodes.done : exitCodes.failed;
  // Variables that several sessions share are in no session's report.
  for (const name of (await findDamagedVariables(store, { kinds: keptKinds })).map(describeDamaged)) {
    if (told.has(name)) continue;
    isWhole = false;
    await output.tell(`damaged: ${name}, cannot be read`);
  }
  for (const damage of await store.maintenance.findDamage().catch((error: Error) => [error.message])) {
    isWhole = false;
    await output.tell(`damaged: the database itself: ${oneLine(damage, 200)}`);
  }
  return isWhole ? exitCodes.done : exitCodes.failed;
}

function formatReport(report: ChainReport, { style }: CommandOutput): string {
  const { sessionId, receipts, broken, isUnanchored, damaged = [] } = report;
  const session = escapeLine(sessionId);
  if (broken === undefined) {
    const note = isUnanchored ? "; its end is recorded in the store alone" : "";
    const whole = `${countOf(receipts, "receipt")}${note}`;
    if (damaged.length === 0) return `${session}: ${style("green", "ok")}, ${whole}`;
    const names = damaged.map(describeDamaged).join(", ");
    return `${session}: ${style("red", "damaged")} beside its log, which is ok, ${whole}: cannot read ${names}`;
  }
  const call = broken.callId === undefined ? "" : ` (${escapeLine(broken.callId)})`;
  return `${session}: ${style("red", "broken")} at event ${broken.sequence}${call}: ${escapeLine(broken.reason)}`;
}

async function showOne(store: Store, callId: string, invocation: Invocation): Promise<undefined> {
  const { flags, output } = invocation;
  const receipts = await readReceipts(store, { callId }, invocation);
  if (receipts.length === 0)
    throw new UsageError(
      `no receipt for call ${JSON.stringify(callId)}; \`toolwright log\` lists the latest calls`,
    );
  // Several, because a caller may give two calls the same id.
  for (const receipt of receipts) {
    await output.write(`${flags.json ? JSON.stringify(receipt) : await describeReceipt(receipt)}\n`);
  }
}

async function showNewest(store: Store, limit: number, invocation: Invocation): Promise<undefined> {
  const { flags, output } = invocation;
  const receipts = await readReceipts(store, { limit }, invocation);
  if (receipts.length === 0) await output.tell("no calls yet");
  else if (flags.json) await output.writeJsonLines(receipts);
  else await output.write(`${await formatReceipts(receipts, output)}\n`);
}

/** Reads receipts, and tells which records cannot be read, so that they do not look as if they had never been. */
async function readReceipts(store: Store, query: ReceiptQuery, { flags, output }: Invocation) {
  const damaged: string[] = [];
  const inSession = { ...query, ...defined({ sessionId: flags.session }) };
  const receipts = await store.readReceipts(inSession, (place) => damaged.push(place));
  for (const place of damaged)
    await output.tell(
      `damaged: ${escapeLine(place)}, cannot be read; \`toolwright log --verify\` tells more`,
    );
  return receipts;
}

function describeDamaged({ scope, name }: DamagedVariable): string {
  return escapeLine(`${scope} ${name}`);
}

/** Formats receipts in a line each; on a terminal that is too narrow for that, the input goes below. */
async function formatReceipts(receipts: readonly Receipt[], output: CommandOutput): Promise<string> {
  const columns = stdoutColumns();
  const rows = receipts.map((receipt) => toRow(receipt, output));
  const wide = await formatColumns(rows, { columns: Number.POSITIVE_INFINITY });
  const widest = Math.max(...wide.split("\n").map((line) => columnsOf(withoutStyles(line))));
  if (widest <= columns) return wide;
  const shortTime = (time: string) =>
    columns < narrowColumns ? time.slice("2026-".length, -":00Z".length) : time;
  const heads = rows.map(([time = "", status = "", tool = "", , , , callId = ""]) => [
    shortTime(time),
    status,
    tool,
    callId,
  ]);
  const lines = (await formatColumns(heads, { columns: Number.POSITIVE_INFINITY })).split("\n");
  const details = rows.map(([, , , decidedBy = "", input = "", duration = ""]) =>
    cutToColumns(`    ${decidedBy}, ${duration}  ${input}`, columns),
  );
  return lines.flatMap((line, index) => [line, output.style("dim", details[index] ?? "")]).join("\n");
}

const narrowColumns = 80;

function toRow(receipt: Receipt, { style }: CommandOutput): string[] {
  const { time, tool, decidedBy, input, duration, callId } = summarizeReceipt(receipt);
  const colour = statusColours[receipt.status] ?? "red";
  return [time, style(colour, statusOf(receipt)), tool, decidedBy, input, duration, callId];
}

/** Names the status of a call. A preview changed nothing, so it must not look like the call itself. */
function statusOf({ status, isDryRun }: Receipt): string {
  if (!isDryRun) return status;
  return status === "done" ? "preview" : `preview ${status}`;
}

const statusColours: Partial<Record<Receipt["status"], "green" | "yellow">> = {
  done: "green",
  cancelled: "yellow",
  denied: "yellow",
};
