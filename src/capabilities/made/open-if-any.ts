import { existsNow } from "../../machine/locks/files-now.ts";
import { madeRecordsFile, madeToolsFolder } from "./made-places.ts";
import type { MadeTools, MadeToolsParts } from "./made-tools.ts";

/** The project's made tools. Where there are none yet, their code is loaded with the first one that is proposed. */
export async function openMadeToolsIfAny(parts: MadeToolsParts): Promise<MadeTools> {
  let opening: Promise<MadeTools> | undefined;
  const open = () => {
    opening ??= import("./made-tools.ts").then(({ openMadeTools }) => openMadeTools(parts));
    return opening;
  };
  const places = [madeRecordsFile(parts.stateFolder), madeToolsFolder(parts.root)];
  const openIfAny = async () => (opening !== undefined || places.some(existsNow) ? open() : undefined);
  await openIfAny();
  return {
    propose: async (tool, by) => (await open()).propose(tool, by),
    list: async () => (await openIfAny())?.list() ?? [],
    approve: async (id, by) => (await open()).approve(id, by),
    deny: async (id, by, why) => (await open()).deny(id, by, why),
    revoke: async (id, by, why) => (await open()).revoke(id, by, why),
    refresh: async () => (await openIfAny())?.refresh(),
    forgetSession: async (id) => (await opening)?.forgetSession(id),
  };
}
