/** The first place at or after `from` where the lines stand one after the other; in time linear in both. */
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

/** After how many matched lines to go on when the next one differs (Knuth, Morris and Pratt). */
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
