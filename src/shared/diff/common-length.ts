// Slices compare at native speed; only within the last one are characters compared one by one.
const sliceLength = 16_384;

/** Length of the common prefix; the first `known` characters are already known to be equal. */
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

/** Length of the common suffix, at most `longest`; the last `known` characters are already known to be equal. */
export function commonSuffixLength(left: string, right: string, longest: number, known = 0): number {
  let length = Math.min(known, longest);
  const slice = (text: string) => text.slice(text.length - length - sliceLength, text.length - length);
  while (length + sliceLength <= longest && slice(left) === slice(right)) length += sliceLength;
  const charCode = (text: string) => text.charCodeAt(text.length - length - 1);
  while (length < longest && charCode(left) === charCode(right)) length++;
  return length;
}
