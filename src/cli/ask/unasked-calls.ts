import type { LoggedEvent } from "../../runtime/events/session-event.ts";

/** Counts calls that were not run because nobody was there who could be asked, also those of agents that were sent off. */
export interface UnaskedCalls {
  note(event: LoggedEvent): void;
  readonly count: number;
}

export function createUnaskedCalls(): UnaskedCalls {
  let count = 0;
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent_event") note(event.event);
    else if (event.type === "call-end" && event.receipt.code === "approval-needed") count += 1;
  };
  return {
    note,
    get count() {
      return count;
    },
  };
}
