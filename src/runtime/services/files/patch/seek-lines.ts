/** Every place where the lines stand one after the other, at most `max` of them; in time linear in both. */
export function seekLines(lines: readonly string[], wanted: readonly string[], max: number): number[] {
  const places: number[] = [];
  if (wanted.length === 0) return places;
  const fallback = fallbacks(wanted);
  let matched = 0;
  for (let index = 0; index < lines.length && places.length < max; index++) {
    while (matched > 0 && lines[index] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (lines[index] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      places.push(index - wanted.length + 1);
      matched = fallback[matched - 1]!;
    }
  }
  return places;
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
