import { StringDecoder } from "node:string_decoder";
import { type RipgrepEnd, runRipgrep } from "../../machine/ripgrep/run-ripgrep.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { SearchPlace } from "./search-place.ts";

/** Runs ripgrep with NUL-separated output, and passes on each piece. */
export async function findNames(
  args: readonly string[],
  { place, onName }: { place: SearchPlace; onName: (name: string) => void },
): Promise<{ unreadable: number }> {
  const splitter = createTextSplitter({ separator: "\0", maxCharacters: maxNameCharacters });
  const { root, signal } = place;
  const end = await runRipgrep([...args, "--null", "--", "./"], {
    cwd: root.location,
    signal,
    onOutput(chunk) {
      for (const name of splitter.push(chunk)) if (name !== undefined) onName(name);
      return "more";
    },
  });
  const rest = splitter.end();
  if (rest !== "") onName(rest);
  const { unreadable } = await acceptEnd(end, signal);
  return { unreadable };
}

// Room for the longest path the kernel returns, with a count before it.
const maxNameCharacters = 8192;

/** Throws if ripgrep rejected the search: the caller has to correct it. */
export async function acceptEnd(
  end: RipgrepEnd,
  signal: AbortSignal,
): Promise<Exclude<RipgrepEnd, { status: "refused" }>> {
  if (end.status === "refused") throw await explainRefusal(end.message, signal);
  return end;
}

export function withoutDot(name: string): string {
  return name.startsWith("./") ? name.slice(2) : name;
}

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
