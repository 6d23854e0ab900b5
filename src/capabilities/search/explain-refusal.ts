import { runRipgrep } from "../../machine/ripgrep/run-ripgrep.ts";
import { listOf } from "../../shared/text/list-of.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Why ripgrep rejected a search, with a hint about the parameter that has to be corrected. */
export async function explainRefusal(message: string, signal: AbortSignal): Promise<ToolError> {
  const type = /^unrecognized file type: (.*)$/s.exec(message)?.[1];
  if (type !== undefined) {
    return new ToolError("invalid-input", `ripgrep has no file type ${JSON.stringify(type)}`, {
      hint: adviseOnType(type, await listTypes(signal)),
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

type FileTypes = ReadonlyMap<string, readonly string[]>;

async function listTypes(signal: AbortSignal): Promise<FileTypes> {
  const printed: Buffer[] = [];
  await runRipgrep(["--type-list"], {
    cwd: "/",
    signal,
    onOutput(chunk) {
      printed.push(chunk);
      return "more";
    },
  });
  const lines = Buffer.concat(printed).toString().trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", globs = ""] = line.split(": ");
      return [name, globs.split(", ")];
    }),
  );
}

function adviseOnType(type: string, types: FileTypes): string {
  const extension = type.replace(/^[*.]+/, "").toLowerCase();
  const ofExtension = [...types]
    .filter(([, globs]) => globs.includes(`*.${extension}`))
    .map(([name]) => name);
  const near = ofExtension.length > 0 ? ofExtension : nearestNames(type, types.keys());
  const advice = near.length > 0 ? `Set type to ${near.join(" or ")}` : "Set type to one of the known types";
  return `${advice}, or leave it out and set glob. Known types: ${listOf([...types.keys()])}.`;
}
