import { basename, resolve } from "node:path";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { Files } from "../../tool/services/files.ts";
import { type ErrorCode, ToolError } from "../../tool/tool-error.ts";
import type { ResolvedCall } from "../pipeline/call.ts";
import { isProtectedName, isSensitiveName } from "./paths/judge-path.ts";
import type { Rule } from "./rules/rule.ts";

/** What happens to everything in a folder: where it is now, and where it will be if it goes elsewhere. */
export interface TreeUse {
  readonly from: string;
  readonly actions: readonly ("read" | "write")[];
  readonly to?: string;
}

interface NamedPath {
  readonly action: "read" | "write";
  readonly path: string;
}

/** What in a folder a restricting rule, or the floor, speaks of: it is not let through with the folder as a whole. */
export async function findNamed(call: ResolvedCall, files: Files, use: TreeUse): Promise<NamedPath[]> {
  const rules = restrictingRules(call);
  const { workspace } = call.environment.session;
  const isNamed = ({ action, path }: NamedPath) => {
    // Who let the folder go has let go what is usual in one, such as `.git`.
    if (!call.isApproved && floorNames[action](basename(path))) return true;
    const absolute = resolve(workspace, path);
    const relative = relativeInside(workspace, absolute);
    return rules.some((rule) => rule.matchesPath?.({ absolute, relative }));
  };
  const touched = (inside: string): NamedPath[] => {
    const here = use.actions.map((action) => ({ action, path: `${use.from}/${inside}` }));
    return use.to === undefined ? here : [...here, { action: "write", path: `${use.to}/${inside}` }];
  };
  return (await namesIn(call, files, use.from)).flatMap((inside) => touched(inside).filter(isNamed));
}

const floorNames = { read: isSensitiveName, write: isProtectedName } as const;

function restrictingRules(call: ResolvedCall): Rule[] {
  const { deny, ask } = call.environment.rules;
  const tool = call.resolved.entry.name;
  return [...deny, ...ask].filter((rule) => rule.matchesPath !== undefined && rule.matchesTool(tool));
}

/** Nothing for what is no folder, or a link that leads to one elsewhere. A folder that cannot be listed is refused. */
async function namesIn(call: ResolvedCall, files: Files, folder: string): Promise<string[]> {
  if (await isLink(call, folder)) return [];
  try {
    const options = { recursive: true, maxEntries: Number.POSITIVE_INFINITY };
    const { path: shown, entries } = await files.list(folder, options);
    const prefix = shown === "." ? "" : `${shown}/`;
    return entries.map(({ path }) => path.slice(prefix.length));
  } catch (error) {
    if (error instanceof ToolError && noFolder.has(error.code)) return [];
    throw error;
  }
}

async function isLink(call: ResolvedCall, path: string): Promise<boolean> {
  const { judgePath } = call.environment;
  const [itself, target] = await Promise.all(
    [false, true].map((followLast) => judgePath(path, { action: "read", followLast })),
  );
  return itself?.path?.real.absolute !== target?.path?.real.absolute;
}

const noFolder: ReadonlySet<ErrorCode> = new Set([
  "not-a-directory",
  "not-a-file",
  "not-found",
  "outside-workspace",
]);
