import { ToolError } from "../../tool/tool-error.ts";
import type { Store } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";

/** How many tools a session has proposed, also in earlier processes. Its sub-agents share it. */
export interface ProposalCount {
  /** Counts one more; throws if that is too many. */
  charge(): Promise<void>;
}

export function createProposalCount(
  { store, log }: { store: Pick<Store, "readVariables">; log: Pick<SessionLog, "noteVariable"> },
  id: string,
): ProposalCount {
  const place = { scope: `made:${id}`, name: "proposals" };
  let count = 0;
  const read = async () => {
    let isDamaged = false;
    const onDamaged = () => {
      isDamaged = true;
    };
    const known = (await store.readVariables(place.scope, onDamaged)).get(place.name);
    // Damaging the record gains nothing: all proposals then count as used.
    count = isDamaged ? maxProposals : typeof known === "number" ? known : 0;
  };
  // Most sessions propose none, and are not to wait for it.
  let reading: Promise<void> | undefined;
  return {
    async charge() {
      reading ??= read();
      await reading;
      if (count >= maxProposals) {
        throw new ToolError("budget-exceeded", `a session can make ${maxProposals} tools`, {
          hint: "Go on with the tools that are there.",
        });
      }
      count += 1;
      log.noteVariable({ ...place, value: count });
    },
  };
}

const maxProposals = 20;
