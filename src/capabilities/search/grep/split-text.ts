import { StringDecoder } from "node:string_decoder";

export interface TextSplitter {
  /** Returns the pieces completed by this chunk; `undefined` stands for one that was too long. */
  push(chunk: Buffer): readonly (string | undefined)[];
  /** Returns the rest after the last separator. */
  end(): string;
}

/** Splits chunks at a separator, and keeps no piece longer than allowed. */
export function createTextSplitter({
  separator,
  maxCharacters,
}: {
  separator: string;
  maxCharacters: number;
}): TextSplitter {
  const decoder = new StringDecoder("utf8");
  let carried = "";
  let isTooLong = false;

  const keep = (piece: string): string | undefined => {
    const whole = isTooLong || carried.length + piece.length > maxCharacters ? undefined : carried + piece;
    carried = "";
    isTooLong = false;
    return whole;
  };

  return {
    push(chunk) {
      const pieces = decoder.write(chunk).split(separator);
      const last = pieces.pop() ?? "";
      const complete = pieces.map(keep);
      if (isTooLong || carried.length + last.length > maxCharacters) {
        isTooLong = true;
        carried = "";
      } else carried += last;
      return complete;
    },
    end: () => keep(decoder.end()) ?? "",
  };
}
