import { applyUpdate } from "../../../src/capabilities/files/patch/apply-patch.ts";
import { parsePatch } from "../../../src/capabilities/files/patch/patch-format.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";
import { editText } from "../edit-text.ts";
import {
  type DistortedEdit,
  type DistortedPatch,
  type Distortion,
  editDistortions,
  patchDistortions,
} from "./distortions.ts";
import type { HistoryHunk } from "./history.ts";

export interface Tally {
  readonly name: string;
  readonly isPlain: boolean;
  right: number;
  refused: number;
  /** A few of those that were written, but not as they were meant. */
  readonly wrong: string[];
  wrongCount: number;
  /** A few of those that were refused. */
  readonly refusals: string[];
}

const maxKept = 3;

/** Makes every hunk's change in every distorted form, and counts what came of it. */
export function replay(hunks: readonly HistoryHunk[]): { edits: Tally[]; patches: Tally[] } {
  const clear = hunks.filter(isClear);
  return {
    edits: editDistortions.map((distortion) => tally(clear, distortion, makeEdit)),
    patches: patchDistortions.map((distortion) => tally(clear, distortion, makePatch)),
  };
}

/** With two places that read alike, a distortion of one makes the other the exact match. */
function isClear({ before, lines }: HistoryHunk): boolean {
  const old = lines.filter((line) => line[0] !== "+").map((line) => line.slice(1));
  return before.split(old.join("\n")).length === 2;
}

function makeEdit({ before, oldText, newText }: DistortedEdit): string {
  return editText(before, { oldText, newText }).text;
}

function makePatch({ before, lines }: DistortedPatch): string {
  const [change] = parsePatch(
    ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n"),
  );
  if (change?.kind !== "update") throw new Error("not an update");
  return applyUpdate(before, change.chunks).text;
}

function tally<Distorted extends { after: string | undefined }>(
  hunks: readonly HistoryHunk[],
  { name, isPlain, apply }: Distortion<Distorted>,
  make: (distorted: Distorted) => string,
): Tally {
  const count: Tally = { name, isPlain, right: 0, refused: 0, wrong: [], wrongCount: 0, refusals: [] };
  for (const hunk of hunks) {
    const distorted = apply(hunk);
    if (distorted === undefined) continue;
    const where = `${hunk.commit.slice(0, 8)} ${hunk.path}:${hunk.first + 1}`;
    try {
      const made = make(distorted);
      if (made === distorted.after) count.right++;
      else {
        count.wrongCount++;
        if (count.wrong.length < maxKept) count.wrong.push(where);
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      count.refused++;
      if (count.refusals.length < maxKept) count.refusals.push(`${where}: ${error.message}`);
    }
  }
  return count;
}
