import { ToolError } from "../../../tool/tool-error.ts";
import { decodeText } from "../encoding/decode-text.ts";
import { diffTexts } from "../thread/text-thread.ts";

const maxDiffLines = 40;

/** Shows what changed, if the content that was read is still held. */
export async function staleFile(
  path: string,
  {
    previous,
    current,
    diffName,
  }: { previous?: Buffer | undefined; current?: Buffer | undefined; diffName: string },
): Promise<ToolError> {
  const changed = `${path} changed since you read it`;
  const diff = await describeChange(diffName, previous, current);
  const message = diff === undefined ? changed : `${changed}:\n${diff}`;
  return new ToolError("stale-file", message, { hint: "Read it again, then make your change." });
}

export function unreadFile(path: string): ToolError {
  return new ToolError("stale-file", `${path} already exists and this session has not read it`, {
    hint: "Read it, then make your change.",
  });
}

async function describeChange(
  path: string,
  previous?: Buffer,
  current?: Buffer,
): Promise<string | undefined> {
  const [before, after] = [readable(previous), readable(current)];
  if (before === undefined || after === undefined) return undefined;
  return (await diffTexts(path, { before, after }, { maxLines: maxDiffLines })).diff;
}

function readable(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decodeText(bytes).text;
  } catch {
    // Not text, so there is no diff to show.
    return undefined;
  }
}
