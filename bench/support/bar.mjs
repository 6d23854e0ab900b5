/** A target for a figure: `value` must not exceed `limit`. Most are ratios within one run, unit "×". */
export function bar(claim, { value, limit, unit = "×" }) {
  return { claim, value, limit, unit, holds: value <= limit };
}
