import { quoteName } from "../../../shared/diff/quote-name.ts";
import { diffTexts } from "../thread/text-thread.ts";

/** A file or link as git sees it. */
export interface GitEntry {
  /** `100644`, `100755` or, for a link, `120000`. */
  readonly mode: string;
  /** A file's text or a link's target; undefined for a binary file. */
  readonly text: string | undefined;
}

/** One file's change as `git diff` writes it, so that `git apply` can also create and delete links and empty files. */
export async function gitDiff(
  path: string,
  before: GitEntry | undefined,
  after: GitEntry | undefined,
): Promise<string> {
  const names = { before: quoteName(`a/${path}`), after: quoteName(`b/${path}`) };
  const header = [`diff --git ${names.before} ${names.after}`, ...describeModes(before?.mode, after?.mode)];
  return `${header.join("\n")}\n${await describeContent(path, { before, after, names })}`;
}

function describeModes(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined) return [`new file mode ${after}`];
  if (after === undefined) return [`deleted file mode ${before}`];
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`];
}

async function describeContent(
  path: string,
  {
    before,
    after,
    names,
  }: {
    before: GitEntry | undefined;
    after: GitEntry | undefined;
    names: { before: string; after: string };
  },
): Promise<string> {
  const isText = [before, after].every((entry) => entry === undefined || entry.text !== undefined);
  if (!isText) {
    return `Binary files ${before ? names.before : nothing} and ${after ? names.after : nothing} differ\n`;
  }
  const { diff } = await diffTexts(path, { before: before?.text ?? "", after: after?.text ?? "" });
  if (before === undefined) return diff.replace(/^--- .*$/m, `--- ${nothing}`);
  return after === undefined ? diff.replace(/^\+\+\+ .*$/m, `+++ ${nothing}`) : diff;
}

const nothing = "/dev/null";
