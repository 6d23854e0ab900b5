import { plainDecision, type WaitingKind } from "../../kernel/people/waiting-list.ts";
import { labelRows, markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { MadeToolStatus } from "../../tool/services/made.ts";

/** Tools that agents have made, and new versions of them. */
export function waitingTools(made: {
  list(): Promise<readonly MadeToolStatus[]>;
  approve(id: string): Promise<void>;
  deny(id: string, why?: string): Promise<void>;
}): WaitingKind {
  return {
    name: "tool",
    takes: "decision",
    async list({ columns = narrowColumns } = {}) {
      const proposed = (await made.list()).filter(({ status }) => status === "proposed");
      return proposed.map(({ id, madeBy, text }) => ({
        id,
        title: "made tool",
        // An agent wrote it, or a repository brings it.
        text: [...labelRows("made by:", madeBy, columns), ...markRows(text.trimEnd(), columns)].join("\n"),
      }));
    },
    async settle(id, said) {
      const { decision, note } = plainDecision(said, untilNextVersion);
      await (decision === "allow" ? made.approve(id) : made.deny(id, note));
    },
  };
}

const untilNextVersion = "a tool is approved until it changes, so its answer takes neither session nor stop";
