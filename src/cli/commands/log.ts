import type { Receipt } from "../../runtime/events/receipt.ts";
import type { Store } from "../../runtime/store/store.ts";
import { type ChainReport, verifyChain } from "../../runtime/store/verify-chain.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Command, Invocation } from "../command.ts";
import { describeReceipt, summarizeReceipt } from "../display/describe-receipt.ts";
import { formatColumns } from "../display/format-columns.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { checkSession, withStore } from "../open/with-store.ts";
import { readPositiveInteger } from "../read-positive-integer.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { UsageError } from "../usage-error.ts";

export default {
  usage: "[<callId>]",
  minArguments: 0,
  maxArguments: 1,
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
  const ids = flags.session === undefined ? await store.listChains() : [flags.session];
  let isWhole = true;
  for (const id of ids) {
    const report = await verifyChain(store, id);
    if (report.broken !== undefined) isWhole = false;
    const line = flags.json ? JSON.stringify(report) : formatReport(report, output);
    await output.write(`${line}\n`);
  }
  if (ids.length === 0) await output.tell("no sessions yet");
  return isWhole ? exitCodes.done : exitCodes.failed;
}

function formatReport({ sessionId, receipts, broken }: ChainReport, { style }: CommandOutput): string {
  const session = escapeLine(sessionId);
  if (broken === undefined) {
    return `${session}: ${style("green", "ok")}, ${countOf(receipts, "receipt")}`;
  }
  const call = broken.callId === undefined ? "" : ` (${escapeLine(broken.callId)})`;
  return `${session}: ${style("red", "broken")} at receipt ${broken.position}${call}: ${broken.reason}`;
}

async function showOne(store: Store, callId: string, { flags, output }: Invocation): Promise<ExitCode> {
  const receipts = await store.readReceipts({ callId, ...(flags.session && { sessionId: flags.session }) });
  if (receipts.length === 0)
    throw new UsageError(
      `no receipt for call ${JSON.stringify(callId)}; \`toolwright log\` lists the latest calls`,
    );
  // Several, because a caller may give two calls the same id.
  for (const receipt of receipts) {
    await output.write(`${flags.json ? JSON.stringify(receipt) : await describeReceipt(receipt)}\n`);
  }
  return exitCodes.done;
}

async function showNewest(store: Store, limit: number, { flags, output }: Invocation): Promise<ExitCode> {
  const receipts = await store.readReceipts({ limit, ...(flags.session && { sessionId: flags.session }) });
  if (receipts.length === 0) await output.tell("no calls yet");
  else if (flags.json) await output.write(receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(""));
  else await output.write(`${await formatColumns(receipts.map((receipt) => toRow(receipt, output)))}\n`);
  return exitCodes.done;
}

function toRow(receipt: Receipt, { style }: CommandOutput): string[] {
  const { time, tool, decidedBy, input, duration, callId } = summarizeReceipt(receipt);
  const colour = statusColours[receipt.status] ?? "red";
  return [time, style(colour, statusOf(receipt)), tool, decidedBy, input, duration, callId];
}

/** A preview changed nothing, so it must not look like the call itself. */
function statusOf({ status, isDryRun }: Receipt): string {
  if (!isDryRun) return status;
  return status === "done" ? "preview" : `preview ${status}`;
}

const statusColours: Partial<Record<Receipt["status"], "green" | "yellow">> = {
  done: "green",
  cancelled: "yellow",
  denied: "yellow",
};
