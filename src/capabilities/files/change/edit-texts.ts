import type { KnownChange } from "../../../shared/diff/changed-spans.ts";
import type { EditedFile, WrittenFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { EditsOutcome } from "../edit/apply-edits.ts";
import type { TextEdit } from "../edit/edit-text.ts";
import type { MatchKind } from "../edit/find-match.ts";
import { reworded } from "../edit/reworded.ts";
import { workOnText } from "../thread/text-thread.ts";
import type { Changing } from "./changing.ts";
import { inTurn } from "./in-turn.ts";
import { planUpdate, type WriteTextOptions, writeText } from "./write-text.ts";

export interface LocatedEdits {
  /** Canonical. */
  readonly path: string;
  readonly edits: readonly TextEdit[];
  readonly encoding?: string;
}

/** Whether the first edit has an empty old text, which creates a missing file or fills an empty one. */
export function mayCreate({ edits }: Pick<LocatedEdits, "edits">): boolean {
  return edits[0]?.oldText === "";
}

/** Makes all edits in memory first, so that a failing edit leaves every file as it was. */
export async function editTexts(groups: readonly LocatedEdits[], changing: Changing): Promise<EditedFile[]> {
  const plans: (() => Promise<EditedFile>)[] = [];
  for (const [index, { path, edits, encoding }] of groups.entries()) {
    const options = { ...changing, encoding };
    try {
      const isMissing = mayCreate({ edits }) && (await options.tree.look(path)).kind === "missing";
      const plan = isMissing ? planCreation : planEdits;
      plans.push(await plan(path, edits, options));
    } catch (error) {
      throw withStatuses(error, { names: groups.map((group) => changing.nameOf(group.path)), failed: index });
    }
  }
  return inTurn(plans, (write) => write());
}

/** Adds which file the edits failed for, and that nothing was done to the others. */
function withStatuses(
  error: unknown,
  { names, failed }: { names: readonly string[]; failed: number },
): unknown {
  if (!(error instanceof ToolError)) return error;
  const { message, cause } = error;
  const results = names.map((path, index) =>
    index === failed
      ? { path, status: "error", replacements: 0, message }
      : { path, status: "skipped", replacements: 0 },
  );
  return reworded(error, message, { partial: { results }, cause });
}

type Plan = Promise<() => Promise<EditedFile>>;

async function planCreation(path: string, edits: readonly TextEdit[], options: WriteTextOptions): Plan {
  const task = { kind: "edit", text: "", edits, path: options.nameOf(path) } as const;
  const outcome = await workOnText(task, options.signal);
  return async () => ({ ...(await writeText(path, outcome.text, options)), ...summarize(outcome) });
}

async function planEdits(path: string, edits: readonly TextEdit[], options: WriteTextOptions): Plan {
  let outcome: EditsOutcome | undefined;
  const write = await planUpdate(
    path,
    async ({ path: name, text }, { wasUnread }) => {
      try {
        outcome = await workOnText({ kind: "edit", text, edits, path: name }, options.signal);
        return { text: outcome.text, change: wholeChange(outcome) };
      } catch (error) {
        throw wasUnread ? withReadingAdvice(error) : error;
      }
    },
    options,
  );
  return async () => {
    const { before: _before, ...written } = await write();
    return { ...written, ...summarize(outcome!) };
  };
}

function summarize({ reports, text }: EditsOutcome): Omit<EditedFile, keyof WrittenFile> {
  return {
    characters: text.length,
    replacements: reports.reduce((sum, { replacements }) => sum + replacements, 0),
    lines: reports.flatMap(({ lines }) => lines),
    matchedBy:
      matchKinds[Math.max(...reports.map(({ matchedBy }) => matchKinds.indexOf(matchedBy)))] ?? "exact",
  };
}

/** The span of all edits; unknown after several, because each reports lines of the text at its own time. */
function wholeChange({ changes, reports }: EditsOutcome): KnownChange | undefined {
  const [first, last] = [changes[0], changes.at(-1)];
  const line = reports.length === 1 ? reports[0]?.lines[0] : undefined;
  if (first === undefined || last === undefined || line === undefined) return undefined;
  const { start, newStart } = first;
  return { start, newStart, end: last.end, newEnd: last.newEnd, line };
}

/** An edit of an unread file mostly fails because its content was guessed. */
function withReadingAdvice(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code !== "no-match") return error;
  return reworded(error, `${error.message} (this session has not read the file)`, { cause: error });
}

/** The loosest last. */
const matchKinds: readonly MatchKind[] = [
  "exact",
  "line-endings",
  "trailing-space",
  "indentation",
  "punctuation",
  "blank-lines",
];
