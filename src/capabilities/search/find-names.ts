import { StringDecoder } from "node:string_decoder";
import { type RipgrepEnd, readRipgrep, runRipgrep } from "../../machine/ripgrep/run-ripgrep.ts";
import { listOf } from "../../shared/text/list-of.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
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
  return acceptEnd(end, signal);
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

/** Splits chunks at a separator, and keeps no piece longer than allowed. */
export function createTextSplitter(limits: { readonly separator: string; readonly maxCharacters: number }) {
  const { separator, maxCharacters } = limits;
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
    /** Returns the pieces completed by this chunk; `undefined` stands for one that was too long. */
    push(chunk: Buffer): readonly (string | undefined)[] {
      const pieces = decoder.write(chunk).split(separator);
      const last = pieces.pop() ?? "";
      const complete = pieces.map(keep);
      if (isTooLong || carried.length + last.length > maxCharacters) {
        isTooLong = true;
        carried = "";
      } else carried += last;
      return complete;
    },
    /** Returns the rest after the last separator. */
    end: () => keep(decoder.end()) ?? "",
  };
}

/** Why ripgrep rejected a search, with a hint about the parameter that has to be corrected. */
async function explainRefusal(message: string, signal: AbortSignal): Promise<ToolError> {
  const type = /^unrecognized file type: (.*)$/s.exec(message)?.[1];
  if (type !== undefined) {
    return new ToolError("invalid-input", `ripgrep has no file type ${JSON.stringify(type)}`, {
      hint: await adviseOnType(type, signal),
    });
  }
  // Ripgrep's own advice names options that the tools do not have.
  const [problem = ""] = message.split("\n\nConsider");
  const [, hint] = patternHints.find(([words]) => message.includes(words)) ?? [];
  return new ToolError("invalid-input", `ripgrep rejected the pattern: ${problem}`, {
    hint: hint ?? "Correct the pattern, or set literal to search for it as plain text.",
  });
}

const patternHints: readonly (readonly [words: string, hint: string])[] = [
  ['"\\n" is not allowed', "Set multiline, so that a match can span lines."],
  ["look-around", "Search for the text itself without look-around, then pick the lines you need."],
  ["backreferences", "Write the repeated text out in the pattern."],
  ["exceeds size limit", "Use smaller repetition counts in the pattern."],
];

async function adviseOnType(type: string, signal: AbortSignal): Promise<string> {
  const { lines } = await readRipgrep(["--type-list"], { signal });
  const types = lines.map((line) => {
    const [name = "", globs = ""] = line.split(": ");
    return { name, globs: globs.split(", ") };
  });
  const names = types.map(({ name }) => name);
  const extension = type.replace(/^[*.]+/, "").toLowerCase();
  const ofExtension = types.filter(({ globs }) => globs.includes(`*.${extension}`)).map(({ name }) => name);
  const near = ofExtension.length > 0 ? ofExtension : nearestNames(type, names);
  const advice = near.length > 0 ? `Set type to ${near.join(" or ")}` : "Set type to one of the known types";
  return `${advice}, or leave it out and set glob. Known types: ${listOf(names)}.`;
}
