import type { Receipt } from "../../../kernel/events/index.ts";
import { describeEffects } from "../../../kernel/policy/index.ts";
import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import { formatColumns, wholeRows } from "./format-columns.ts";
import { formatDuration, formatTime } from "./format-time.ts";

/** Describes one receipt in full, for a person; everything a caller may have written is escaped. */
export async function describeReceipt(receipt: Receipt): Promise<string> {
  // Loaded only here: a list of receipts needs no capability.
  const { receiptFields } = await import("../../../capabilities.ts");
  const { caller, verdict, effects, calledAs, code, storedPath } = receipt;
  const facts = wholeRows([
    ["call", receipt.callId],
    ["session", receipt.sessionId],
    ["started", receipt.startedAt],
    ["took", formatDuration(receipt.durationMs)],
    ["caller", describeCaller(caller)],
    ["tool", calledAs === undefined ? receipt.tool : `${receipt.tool} (called as ${calledAs})`],
    ["version", receipt.toolVersion],
    ["preview", receipt.isDryRun ? "nothing was changed" : undefined],
    ["status", code === undefined ? receipt.status : `${receipt.status} (${code})`],
    ["decision", verdict?.decision ?? "none: refused before a decision"],
    ["reason", verdict?.reason],
    ["decided by", verdict?.decidedBy],
    ["class", verdict?.permissionClass],
    ["category", verdict?.category],
    ...[...receiptFields].flatMap(([name, { show }]) => {
      const value: unknown = Reflect.get(receipt, name);
      return value === undefined ? [] : (show?.(value) ?? []);
    }),
    ["stored output", storedPath],
    ...(receipt.conversions ?? []).map(({ path, from, to }) => [
      "converted",
      `${path} from ${from} to ${to}`,
    ]),
    ["position", String(receipt.position)],
    ["input hash", receipt.inputHash],
    ["result hash", receipt.resultHash],
    ["previous", receipt.previousHash],
    ["hash", receipt.hash],
  ]).map((fact) => fact.map(escapeLine));
  const input = JSON.stringify(receipt.input, null, 2) ?? "none";
  return `${await formatColumns([...facts, ...describeEffects(effects)])}\ninput: ${escapeControls(input)}`;
}

function describeCaller({ kind, name, transport, token }: Receipt["caller"]): string {
  const way = transport === undefined ? "" : ` over ${transport}`;
  return `${kind} ${name}${way}${token === undefined ? "" : ` with token ${token}`}`;
}

/** The parts of one receipt in a line. */
export function summarizeReceipt(receipt: Receipt) {
  return {
    time: formatTime(receipt.startedAt),
    tool: escapeLine(receipt.tool),
    decidedBy: escapeLine(receipt.verdict?.decidedBy ?? receipt.code ?? ""),
    // Cut before it is escaped too: an input may have megabytes.
    input: shorten(escapeLine((JSON.stringify(receipt.input) ?? "").slice(0, maxShortCharacters + 1))),
    duration: formatDuration(receipt.durationMs),
    callId: escapeLine(receipt.callId),
  };
}

const maxShortCharacters = 60;

function shorten(text: string): string {
  return text.length <= maxShortCharacters ? text : `${text.slice(0, maxShortCharacters - 1)}…`;
}
