/** Index of each occurrence of the wanted lines, at most `max` of them; takes linear time. */
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
