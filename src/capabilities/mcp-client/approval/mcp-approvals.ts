import { shownHash } from "../../../shared/crypto.ts";
import { unifiedDiff } from "../../../shared/diff/text-diff.ts";
import { defined } from "../../../shared/options/defined.ts";
import { describeSubject, type Pin, type PinSubject, type Pins } from "./pins.ts";

/** A server or tool that needs a person's approval. */
export interface McpApproval {
  /** Argument for `approve` and `deny`; the part after `@` ensures that the content is still the same. */
  readonly id: string;
  readonly server: string;
  readonly tool?: string;
  readonly kind: "new" | "changed";
  /** The current content. */
  readonly text: string;
  /** Changes since it was approved. */
  readonly diff?: string;
}

export async function listApprovals(pins: Pins): Promise<readonly McpApproval[]> {
  const waiting = pins.list().filter(({ pending }) => pending !== undefined);
  return Promise.all(waiting.map(describeApproval));
}

/** Reads `mcp:server`, `mcp:server/tool` and either with `@` and the beginning of a hash. */
export function parseApprovalId(id: string): PinSubject & { readonly hash?: string } {
  const parts = /^mcp:([A-Za-z0-9_-]+)(?:\/(.+?))?(?:@([0-9a-f]{8,64}))?$/s.exec(id);
  if (parts === null) {
    throw new TypeError(`invalid id ${JSON.stringify(id)}; write mcp:<server> or mcp:<server>/<tool>`);
  }
  const [, server = "", tool, hash] = parts;
  return { server, ...defined({ tool, hash }) };
}

async function describeApproval(pin: Pin): Promise<McpApproval> {
  const { server, tool, approved, pending } = pin;
  const { text, hash } = pending!;
  const id = `${describeSubject(pin)}@${shownHash(hash)}`;
  const about = { id, server, ...defined({ tool }), text };
  if (approved === undefined) return { ...about, kind: "new" };
  const [before, after] = [approved.text, text].map((each) => `${foldLines(each)}\n`);
  const { diff } = await unifiedDiff(describeSubject(pin), before!, after!);
  return { ...about, kind: "changed", diff };
}

/**
 * Folds JSON's long strings over several lines, so that a diff shows the changed part and not the whole string. Adds only
 * line breaks and indentation, and never splits an escape.
 */
export function foldLines(json: string): string {
  return json.split("\n").map(foldLine).join("\n");
}

function foldLine(line: string): string {
  const indent = " ".repeat(line.search(/\S|$/) + 4);
  const lines = line.replace(/\\./g, (found) => (found === "\\n" ? "\\n\n" : found)).split("\n");
  return lines.flatMap((each) => each.match(foldable) ?? []).join(`\n${indent}`);
}

// Folds at the end of a word, if there is one nearby.
const foldable = /(?:\\u[\da-f]{4}|\\.|[^\\]){100}(?:\\u[\da-f]{4}|\\.|[^\\ ]){0,100} ?|.+/gu;
