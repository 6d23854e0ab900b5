/** A promise about a figure: `value` must not be above `limit`. Most are ratios inside one run, unit "×". */
export function bar(claim, { value, limit, unit = "×" }) {
  return { claim, value, limit, unit, holds: value <= limit };
}
