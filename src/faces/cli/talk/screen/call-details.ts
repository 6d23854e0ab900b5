import type { LoggedEventOf } from "../../../../kernel/events/session-event.ts";
import { escapeControls, escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";

/** The latest calls in full: each has only a line on the screen. */
export interface CallDetails {
  note(event: LoggedEventOf<"call-end">): void;
  /** The lines of the latest call; asked again, of the one before it. Empty if there is none. */
  next(): readonly string[];
}

export function createCallDetails(style: CommandOutput["style"]): CallDetails {
  const recent: LoggedEventOf<"call-end">[] = [];
  let shown = 0;
  return {
    note(event) {
      recent.push(event);
      if (recent.length > maxRecent) recent.shift();
      shown = 0;
    },
    next() {
      const event = recent.at(-1 - shown);
      if (event === undefined) return [];
      shown += 1;
      const lines = describe(event, style);
      const rest = lines.length - maxLines;
      return [
        ...lines.slice(0, maxLines).map((line) => style("dim", line)),
        ...(rest > 0 ? [style("dim", `… and ${rest} more lines; toolwright log has them`)] : []),
        "",
      ];
    },
  };
}

const maxRecent = 50;
const maxLines = 200;

function describe(
  { receipt, text, error }: LoggedEventOf<"call-end">,
  style: CommandOutput["style"],
): string[] {
  return [
    style("bold", escapeLine(receipt.calledAs ?? receipt.tool)),
    ...escapeControls(JSON.stringify(receipt.input, null, 2) ?? "").split("\n"),
    ...escapeControls(error?.message ?? text).split("\n"),
  ];
}
