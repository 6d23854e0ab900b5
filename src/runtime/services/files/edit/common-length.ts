// Comparing slices runs at native speed; only inside the last one are characters compared one by one.
const sliceLength = 16_384;

/** How many characters two texts have in common from their beginning, where so many are known to be. */
export function commonPrefixLength(left: string, right: string, known = 0): number {
  const longest = Math.min(left.length, right.length);
  let length = known;
  while (
    length + sliceLength <= longest &&
    left.slice(length, length + sliceLength) === right.slice(length, length + sliceLength)
  ) {
    length += sliceLength;
  }
  while (length < longest && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/** How many characters two texts have in common to their end, at most as many as told. */
export function commonSuffixLength(left: string, right: string, longest: number, known = 0): number {
  let length = Math.min(known, longest);
  const slice = (text: string) => text.slice(text.length - length - sliceLength, text.length - length);
  while (length + sliceLength <= longest && slice(left) === slice(right)) length += sliceLength;
  const charCode = (text: string) => text.charCodeAt(text.length - length - 1);
  while (length < longest && charCode(left) === charCode(right)) length++;
  return length;
}
