import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { columnsOf } from "../../display/cut-to-columns.ts";
import type { TalkStatus } from "../talk-view.ts";

/**
 * The line at the bottom, in as many words as fit. What matters most comes first, because a line that is still too long is
 * cut at its end.
 */
export function describeTalkStatus(status: TalkStatus, columns = Number.POSITIVE_INFINITY): string {
  const { mode, isPlanning, sandbox, tokens, cost, contextLeft, queued, waiting } = status;
  const model = escapeLine(status.model);
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const line = ({ name, isShort }: { name: string; isShort: boolean }) =>
    [
      name,
      isPlanning ? "plan" : mode,
      ...(waiting > 0 ? [`${waiting} waiting: /approve`] : []),
      ...(queued > 0 ? [`${queued} queued`] : []),
      `${Math.round(contextLeft * 100)}% ${isShort ? "" : "context "}left`,
      `${shortNumber(tokens)} tokens`,
      ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
      sandbox === "none" ? "no sandbox" : isShort ? sandbox : `sandbox ${sandbox}`,
    ].join(" · ");
  const forms = [
    line({ name: shortName(model, maxName), isShort: false }),
    line({ name: shortName(bare, maxName), isShort: false }),
    line({ name: shortName(bare, maxName), isShort: true }),
    line({ name: shortName(bare, minName), isShort: true }),
  ];
  return forms.find((form) => columnsOf(form) <= columns) ?? forms.at(-1) ?? "";
}

function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** The end of a long name, such as that of a file, tells more than its beginning. */
function shortName(name: string, max: number): string {
  return name.length <= max ? name : `…${name.slice(1 - max)}`;
}

const maxName = 32;
const minName = 16;
