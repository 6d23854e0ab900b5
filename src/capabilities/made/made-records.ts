import { readOwnFile, updateOwnFile } from "../../machine/locks/index.ts";
import { hashOf, type MadeTool } from "./made-tool.ts";

/** One version of a made tool, and where it came from. */
export interface MadeVersion {
  readonly tool: MadeTool;
  readonly hash: string;
  readonly version: number;
  readonly madeBy: string;
  readonly sessionId?: string;
  /** ISO 8601. */
  readonly madeAt: string;
}

export interface ApprovedVersion extends MadeVersion {
  readonly approvedBy: string;
  readonly approvedAt: string;
}

/** A version that was denied: as a proposal, or after it was approved. */
interface DeniedVersion extends MadeVersion {
  readonly deniedBy: string;
  readonly deniedAt: string;
  readonly why: string;
  /** It had been approved before. */
  readonly isRevoked: boolean;
}

/** All versions of a tool that count. A call runs the approved version as it is kept here, never the file. */
export interface MadeRecord {
  readonly name: string;
  readonly approved?: ApprovedVersion | undefined;
  /** Checked, and not decided yet. */
  readonly proposed?: MadeVersion | undefined;
  readonly denied?: DeniedVersion | undefined;
}

export type MadeRecords = ReadonlyMap<string, MadeRecord>;

export async function readMadeRecords(file: string): Promise<MadeRecords> {
  return parseRecords(await readOwnFile(file), file);
}

/** Changes the record of one tool; `undefined` removes it. */
export async function updateMadeRecord(
  file: string,
  name: string,
  change: (record: MadeRecord) => MadeRecord | undefined,
): Promise<void> {
  const write = (text: string | undefined) => {
    const records = new Map(parseRecords(text, file));
    const changed = change(records.get(name) ?? { name });
    if (changed === undefined) records.delete(name);
    else records.set(name, changed);
    return `${JSON.stringify({ version: 1, tools: [...records.values()] })}\n`;
  };
  await updateOwnFile(file, write);
}

function parseRecords(text: string | undefined, file: string): MadeRecords {
  if (text === undefined) return new Map();
  try {
    const { version, tools } = JSON.parse(text) as { version: unknown; tools: MadeRecord[] };
    if (version !== 1 || tools.some(isDamaged)) throw new Error("not a list of made tools");
    return new Map(tools.map((record) => [record.name, record]));
  } catch (cause) {
    throw new Error(`${file} is damaged; delete it, then approve the tools that agents made again`, {
      cause,
    });
  }
}

/** A decision is on exactly the content that it was made for. */
function isDamaged({ name, approved, proposed, denied }: MadeRecord): boolean {
  const kept = [approved, proposed, denied].filter((each) => each !== undefined);
  return kept.some(({ tool, hash }) => tool.name !== name || hashOf(tool) !== hash);
}
