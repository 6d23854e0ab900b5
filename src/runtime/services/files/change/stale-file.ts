import { ToolError } from "../../../../tool/tool-error.ts";
import { unifiedDiff } from "../diff/preview.ts";
import { decodeText } from "../encoding/decode-text.ts";

const hint = "Read it again, then make your change.";
const maxDiffLines = 40;

/** Says what somebody else changed, as far as it is still known what was read. */
export async function staleFile(
  path: string,
  { previous, current }: { previous?: Buffer | undefined; current?: Buffer | undefined },
): Promise<ToolError> {
  const said = `${path} has changed since it was read`;
  const diff = await describeChange(path, previous, current);
  const message = diff === undefined ? `${said} (what exactly is not known any more)` : `${said}:\n${diff}`;
  return new ToolError("stale-file", message, { hint });
}

export function unreadFile(path: string): ToolError {
  return new ToolError("stale-file", `${path} exists and was never read in this session`, { hint });
}

async function describeChange(
  path: string,
  previous?: Buffer,
  current?: Buffer,
): Promise<string | undefined> {
  const [before, after] = [readable(previous), readable(current)];
  if (before === undefined || after === undefined) return undefined;
  return (await unifiedDiff(path, before, after, { maxLines: maxDiffLines })).diff;
}

function readable(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decodeText(bytes).text;
  } catch {
    // No text, so there is nothing to show.
    return undefined;
  }
}
