import { once } from "../../shared/once.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { KeptKind } from "../store/index.ts";
import type { SessionKept } from "./kept/kept.ts";

/** How many tools a session has proposed, also in earlier processes. Its sub-agents share it. */
export type ProposalCount = ReturnType<typeof createProposalCount>;

export function createProposalCount(kept: SessionKept) {
  const stored = kept(proposalCounts);
  let count = 0;
  // Read late: most sessions propose no tool, and need not wait for it.
  const read = once(async () => {
    count = (await stored.get("proposals")) ?? 0;
  });
  return {
    /** Counts one more; throws if that is too many. */
    async charge() {
      await read();
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
