import { ToolError } from "../../tool/tool-error.ts";
import type { KeptKind } from "../store/kept/kept-kind.ts";
import type { SessionKept } from "./kept/kept.ts";

/** How many tools a session has proposed, also in earlier processes. Its sub-agents share it. */
export interface ProposalCount {
  /** Counts one more; throws if that is too many. */
  charge(): Promise<void>;
}

export function createProposalCount(kept: SessionKept): ProposalCount {
  const stored = kept(proposalCounts);
  let count = 0;
  const read = async () => {
    count = (await stored.get("proposals")) ?? 0;
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
      stored.set("proposals", count);
    },
  };
}

const maxProposals = 20;

/** As `proposals`. */
export const proposalCounts: KeptKind<number> = {
  scope: "made",
  isValue: (value) => typeof value === "number",
  // Damaging the record gains nothing: all proposals then count as used.
  instead: () => maxProposals,
};
