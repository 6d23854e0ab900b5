/** Bytes that arrive in pieces, copied together: a piece that is kept on its own costs hundreds of bytes, even of one. */
export function createByteBuffer() {
  let held = empty;
  let length = 0;
  const push = (piece: Uint8Array) => {
    if (length + piece.length > held.length) held = grown(held, { length, needed: length + piece.length });
    held.set(piece, length);
    length += piece.length;
  };
  return {
    get length() {
      return length;
    },
    push,
    /** Returns everything up to now, followed by the last piece, which alone is not copied; then it is empty. */
    take(last: Uint8Array = empty): Buffer {
      if (length === 0) return Buffer.from(last.buffer, last.byteOffset, last.length);
      push(last);
      const all = held.subarray(0, length);
      held = empty;
      length = 0;
      return all;
    },
  };
}

const empty = Buffer.allocUnsafeSlow(0);

function grown(held: Buffer, { length, needed }: { length: number; needed: number }) {
  const next = Buffer.allocUnsafeSlow(Math.max(needed, held.length * 2));
  held.copy(next, 0, 0, length);
  return next;
}
