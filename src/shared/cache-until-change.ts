/** Finds each thing once, until `changes` gives another number. `isKept` leaves out what there could be no end of. */
export function cacheUntilChange<Key, Found>(
  changes: () => number,
  find: (key: Key) => Found,
  isKept: (found: Found) => boolean = () => true,
): (key: Key) => Found {
  let known = new Map<Key, Found>();
  let seen = changes();
  return (key) => {
    const now = changes();
    if (seen !== now) {
      known = new Map();
      seen = now;
    }
    const kept = known.get(key);
    if (kept !== undefined || known.has(key)) return kept as Found;
    const found = find(key);
    if (isKept(found)) known.set(key, found);
    return found;
  };
}
