/** Index of the first occurrence of the wanted lines at or after `from`; takes linear time. */
export function seekLines(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): number | undefined {
  if (wanted.length === 0) return from <= lines.length ? from : undefined;
  const fallback = fallbacks(wanted);
  let matched = 0;
  for (let index = from; index < lines.length; index++) {
    while (matched > 0 && lines[index] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (lines[index] === wanted[matched]) matched++;
    if (matched === wanted.length) return index - wanted.length + 1;
  }
  return undefined;
}

/** The failure table of Knuth, Morris and Pratt: how many lines still match when the next one differs. */
function fallbacks(wanted: readonly string[]): number[] {
  const fallback = [0];
  let matched = 0;
  for (let index = 1; index < wanted.length; index++) {
    while (matched > 0 && wanted[index] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (wanted[index] === wanted[matched]) matched++;
    fallback.push(matched);
  }
  return fallback;
}
