import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { TalkStatus } from "../talk-view.ts";

/** The line at the bottom; what matters most comes first, because a narrow terminal cuts the rest. */
export function describeTalkStatus(status: TalkStatus): string {
  const { model, mode, isPlanning, sandbox, tokens, cost, contextLeft, queued, waiting } = status;
  return [
    shortName(escapeLine(model)),
    isPlanning ? "plan" : mode,
    ...(waiting > 0 ? [`${waiting} waiting: /approve`] : []),
    ...(queued > 0 ? [`${queued} queued`] : []),
    `${Math.round(contextLeft * 100)}% context left`,
    `${shortNumber(tokens)} tokens`,
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
    sandbox === "none" ? "no sandbox" : `sandbox ${sandbox}`,
  ].join(" · ");
}

function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** The end of a long name, such as that of a file, tells more than its beginning. */
function shortName(name: string): string {
  return name.length <= maxName ? name : `…${name.slice(1 - maxName)}`;
}

const maxName = 32;
