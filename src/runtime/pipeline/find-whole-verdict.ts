import type { Eventually } from "../../shared/eventually.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { findNamed, type TreeUse } from "../policy/find-named.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { ResolvedCall } from "./call.ts";
import { decideOn, findVerdict } from "./find-verdict.ts";
import type { HookAnswers } from "./hooks/before-hooks.ts";

/**
 * The verdict on what the tool named, and on what lies in the folders it named: a person is then asked once, about all
 * of it. Where the folder itself may not be touched, nothing is told of what it holds.
 */
export function findWholeVerdict(call: ResolvedCall, answers: HookAnswers): Eventually<Verdict> {
  const verdict = findVerdict(call, answers);
  const folders = (call.declared ?? []).filter(isFolder);
  return folders.length === 0 ? verdict : lookInside(call, { answers, folders, verdict });
}

async function lookInside(
  call: ResolvedCall,
  {
    answers,
    folders,
    verdict,
  }: { answers: HookAnswers; folders: readonly FolderRequest[]; verdict: Eventually<Verdict> },
): Promise<Verdict> {
  const onFolders = await verdict;
  if (onFolders.decision === "deny") return onFolders;
  const { signal } = call.deadline;
  const files = call.environment.files({ signal, isPreview: true, onChange: () => {} });
  const inside: PermissionRequest[] = [];
  for (const use of usesOf(folders)) {
    for (const { action, path } of await findNamed(call, files, use))
      inside.push({ action, target: path, isLinkItself: true });
  }
  if (inside.length === 0) return onFolders;
  call.declared = [...(call.declared ?? []), ...inside];
  return decideOn(call, call.declared, { answers });
}

type FolderRequest = PermissionRequest & {
  readonly action: "read" | "write";
  readonly target: string;
  readonly treesOf: readonly string[];
};

function isFolder(request: PermissionRequest): request is FolderRequest {
  const { action, target, treesOf } = request;
  return treesOf !== undefined && target !== undefined && (action === "read" || action === "write");
}

/** One for each folder, since all that is in it has to be listed. */
function usesOf(folders: readonly FolderRequest[]): TreeUse[] {
  const places = new Set(folders.flatMap(({ treesOf }) => treesOf));
  return [...places].map((from) => {
    const here = folders.filter(({ target, treesOf }) => target === from && treesOf.includes(from));
    const there = folders.find(({ target, treesOf }) => target !== from && treesOf.includes(from));
    return { from, actions: here.map(({ action }) => action), ...(there && { to: there.target }) };
  });
}
