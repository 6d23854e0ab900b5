import { quoteWord } from "../../../shared/text/quote-controls.ts";
import type { FlagName, FlagValues } from "../flags.ts";

/** The command that continues a conversation with the same flags; undefined if it is kept only in memory. */
export function resumeCommand(
  sessionId: string,
  { flags, store }: { flags: FlagValues; store: string | undefined },
): string | undefined {
  if (store === "memory:") return undefined;
  return ["toolwright run --resume", sessionId, ...repeatFlags(flags, repeated), '"…"'].join(" ");
}

/** Writes the flags of these names again, those that were given with a value. */
export function repeatFlags(flags: FlagValues, names: readonly FlagName[]): string[] {
  return names.flatMap((name) => {
    const value = flags[name];
    return typeof value === "string" ? [`--${name} ${quoteWord(value)}`] : [];
  });
}

/** Flags to repeat: those for the place of the conversation, its model, and its permissions. */
const repeated: readonly FlagName[] = [
  "workspace",
  "store",
  "config",
  "dialect",
  "mode",
  "model",
  "base-url",
  "tools",
];
