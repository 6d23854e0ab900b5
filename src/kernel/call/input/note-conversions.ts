import type { ValueConversion } from "../../../shared/json-schema/readings/convert-value.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import type { Call } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { noteInObject, readToldObject, withText } from "../shape-outcome.ts";
import type { Stage } from "../stages/stage.ts";

/** Tells the caller how its input was read, so that it sees a misreading and writes the next input right. */
export const conversions: Stage = {
  after(call, outcome) {
    const found = call.noted.conversions;
    return found === undefined ? outcome : withNote(call, outcome, describeConversions(found));
  },
};

/** Tells the caller in the next result that a budget, its own or a parent's, is nearly used up. */
export const budgetWarnings: Stage = {
  after(call, outcome) {
    let told = outcome;
    for (const waiting of call.host.budget.warnings)
      for (const warning of waiting.splice(0)) told = withNote(call, told, warning);
    return told;
  },
};

/** Adds a note for the caller to its answer. */
export function withNote({ host }: Call, outcome: CallOutcome, unmasked: string): CallOutcome {
  const note = host.redactor.text(unmasked);
  const told = host.dialect.writesJson ? readToldObject(outcome.text) : undefined;
  if (told !== undefined) return withText(outcome, JSON.stringify(noteInObject(told, note)));
  const text = outcome.text === "" ? note : `${outcome.text}\n\n${note}`;
  return { ...outcome, text, content: [...outcome.content, { type: "text", text: note }] };
}

const maxNamed = 5;

function describeConversions(all: readonly ValueConversion[]): string {
  const named = all.slice(0, maxNamed).map(describeConversion);
  const others = all.length - named.length;
  if (others > 0) named.push(`${countOf(others, "other value")} likewise`);
  return `Note: ${named.join("; ")}.`;
}

function describeConversion({ path, to }: ValueConversion): string {
  return to === "absent"
    ? `${path} was null and was read as left out`
    : `${path} was a string and was read as ${kinds[to]}`;
}

const kinds = { number: "a number", boolean: "a boolean", array: "a list", object: "an object" };
