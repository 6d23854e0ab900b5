import { isSensitivePath } from "../../kernel/policy/paths/judge-path.ts";
import type { PublicFiles } from "../../kernel/policy/paths/public-files.ts";

/** The files with sensitive names that are exactly as committed. Git is loaded with the first of them that is met. */
export function loadPublicFiles(root: string): PublicFiles {
  return onDemand(async () => {
    const { createCommittedFiles } = await import("../../machine/git/committed-files.ts");
    return createCommittedFiles(root, isSensitivePath);
  });
}

function onDemand(load: () => Promise<PublicFiles>): PublicFiles {
  let loading: Promise<PublicFiles> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return {
    list: async () => (await loaded()).list(),
    in: (copy) => onDemand(async () => (await loaded()).in(copy)),
  };
}
