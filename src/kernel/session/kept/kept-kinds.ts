import { peopleKept } from "../../people/index.ts";
import type { KeptKind } from "../../store/index.ts";
import { spendings } from "../budget.ts";
import { inboxAnswers, inboxItems } from "../inbox/inbox-item.ts";
import { proposalCounts } from "../proposal-count.ts";
import { runRecords } from "../session-run.ts";
import { taintSources } from "../session-taint.ts";
import { sessionValues, taskValues, turnedCalls } from "../session-variables.ts";
import { grantedRules } from "./session-grants.ts";

/** What a session keeps itself, whatever its capabilities. */
export const sessionKept: readonly KeptKind[] = [
  ...peopleKept,
  grantedRules,
  inboxAnswers,
  inboxItems,
  proposalCounts,
  runRecords,
  sessionValues,
  spendings,
  taintSources,
  taskValues,
  turnedCalls,
];
