import { unifiedDiff } from "../../shared/diff/text-diff.ts";
import type { MadeToolStatus } from "../../tool/services/made.ts";
import type { ApprovedVersion, MadeRecord, MadeRecords, MadeVersion } from "./made-records.ts";
import { hashOf, idOf, type MadeTool } from "./made-tool.ts";
import { formatVersion, parseVersion } from "./project-file.ts";

/** The decisions on made tools, and the files that the project has of them. */
export interface MadeState {
  readonly records: MadeRecords;
  readonly files: ReadonlyMap<string, string>;
}

export const madePrefix = "tool:";

/**
 * Gives the versions that can be called: a person or a rule has approved them, and the project's file has this content,
 * or that of the proposal whose approval has just written it there.
 */
export function activeVersions({ records, files }: MadeState): readonly ApprovedVersion[] {
  return [...records.values()].flatMap(({ name, approved, proposed }) => {
    const inFile = versionIn(files.get(name))?.hash;
    const isWanted = inFile !== undefined && (inFile === approved?.hash || inFile === proposed?.hash);
    return approved !== undefined && isWanted ? [approved] : [];
  });
}

export function activeVersion(state: MadeState, name: string): ApprovedVersion | undefined {
  return activeVersions(state).find(({ tool }) => tool.name === name);
}

/** The version that waits for a decision: a proposal of an agent, or a file without a decision. */
export function proposalOf({ records, files }: MadeState, name: string): MadeVersion | undefined {
  const record = records.get(name) ?? { name };
  const { approved, proposed, denied } = record;
  if (proposed !== undefined) return proposed;
  const inFile = versionIn(files.get(name), name);
  if (inFile === undefined || inFile.hash === approved?.hash || inFile.hash === denied?.hash)
    return undefined;
  return { ...inFile, version: nextVersion(record) };
}

/** A number is given once, also if the version was revoked. */
export function nextVersion({ approved, denied }: MadeRecord): number {
  return Math.max(approved?.version ?? 0, denied?.isRevoked ? denied.version : 0) + 1;
}

/** Every known version, by name: the approved one, then the proposed one, then the denied one. */
export async function listStatuses(state: MadeState): Promise<readonly MadeToolStatus[]> {
  return (await Promise.all(knownNames(state).map((name) => statusesOf(state, name)))).flat();
}

/** The names of all tools that there is a decision on, a proposal or a file. */
export function knownNames({ records, files }: MadeState): string[] {
  return [...new Set([...records.keys(), ...files.keys()])].sort();
}

async function statusesOf(state: MadeState, name: string): Promise<MadeToolStatus[]> {
  const { approved, denied } = state.records.get(name) ?? {};
  const proposal = proposalOf(state, name);
  const found: MadeToolStatus[] = [];
  if (approved !== undefined) {
    const isActive = activeVersion(state, name) !== undefined;
    const why = state.files.has(name) ? "its file was changed" : "its file is gone";
    const decision = { by: approved.approvedBy, decidedAt: approved.approvedAt };
    const how = isActive ? { status: "active" as const } : { status: "inactive" as const, why };
    found.push({ ...describe(approved), ...decision, ...how });
  }
  if (proposal !== undefined)
    found.push({ ...describe(proposal), status: "proposed", text: await versionText(state, proposal) });
  if (denied !== undefined) {
    const { deniedBy: by, deniedAt: decidedAt, why, isRevoked } = denied;
    found.push({ ...describe(denied), status: isRevoked ? "revoked" : "denied", by, decidedAt, why });
  }
  return found;
}

/** A version in full, or its differences from the approved one. */
export async function versionText({ records }: MadeState, version: MadeVersion): Promise<string> {
  const { approved } = records.get(version.tool.name) ?? {};
  const text = formatVersion(version);
  if (approved === undefined) return text;
  return (await unifiedDiff(idOf(version.tool.name, version.hash), formatVersion(approved), text)).diff;
}

function describe(made: MadeVersion): Omit<MadeToolStatus, "status"> {
  const { tool, hash, version, madeBy, madeAt } = made;
  const { name, description, language, permissions } = tool;
  const id = `${madePrefix}${idOf(name, hash)}`;
  const text = formatVersion(made);
  return { id, name, hash, description, language, permissions, version, madeBy, madeAt, text };
}

/** What a file proposes; undefined if it cannot be read. Its name must be that of the file. */
function versionIn(text: string | undefined, name?: string): MadeVersion | undefined {
  if (text === undefined) return undefined;
  try {
    const { tool, ...others } = parseVersion(text);
    const made = tool as MadeTool;
    if (name !== undefined && made.name !== name) return undefined;
    return { ...others, tool: made, hash: hashOf(made) };
  } catch {
    return undefined;
  }
}
