/** Tells whether a text is like a pattern in which `*` stands for any characters. Takes time by their lengths, not more. */
export function createStarMatcher(pattern: string): (text: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let place = first.length;
    for (const piece of rest) {
      // The first place where it fits leaves the most room for those behind it.
      const found = text.indexOf(piece, place);
      if (found === -1) return false;
      place = found + piece.length;
    }
    return place <= end;
  };
}
