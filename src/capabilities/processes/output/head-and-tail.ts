/** Keeps the start and the end of a byte stream of any length. */
export interface HeadAndTail {
  readonly totalBytes: number;
  add(chunk: Buffer): void;
  head(): Buffer;
  tail(): Buffer;
}

/** Keeps the first and the last bytes of an output. It copies them, so that callers may reuse a chunk's memory. */
export function createHeadAndTail({
  headBytes,
  tailBytes,
}: Readonly<Record<"headBytes" | "tailBytes", number>>): HeadAndTail {
  let head = nothing;
  let headLength = 0;
  let tail: Buffer | undefined;
  let tailLength = 0;
  let totalBytes = 0;

  const addToHead = (bytes: Buffer) => {
    if (headLength + bytes.length > head.length) {
      const wanted = Math.max(smallestBytes, (headLength + bytes.length) * 2);
      const larger = Buffer.allocUnsafeSlow(Math.min(headBytes, wanted));
      head.copy(larger, 0, 0, headLength);
      head = larger;
    }
    headLength += bytes.copy(head, headLength);
  };
  const addToTail = (bytes: Buffer) => {
    // Twice the size, so that the kept bytes are moved only now and then.
    tail ??= Buffer.allocUnsafeSlow(tailBytes * 2);
    const kept = bytes.subarray(Math.max(0, bytes.length - tailBytes));
    if (tailLength + kept.length > tail.length) {
      const staying = tailBytes - kept.length;
      tail.copyWithin(0, tailLength - staying, tailLength);
      tailLength = staying;
    }
    kept.copy(tail, tailLength);
    tailLength += kept.length;
  };

  return {
    get totalBytes() {
      return totalBytes;
    },
    add(chunk) {
      totalBytes += chunk.length;
      const forHead = chunk.subarray(0, headBytes - headLength);
      if (forHead.length > 0) addToHead(forHead);
      if (forHead.length < chunk.length) addToTail(chunk.subarray(forHead.length));
    },
    head: () => head.subarray(0, headLength),
    tail: () => tail?.subarray(Math.max(0, tailLength - tailBytes), tailLength) ?? nothing,
  };
}

const nothing = Buffer.alloc(0);
const smallestBytes = 1024;
