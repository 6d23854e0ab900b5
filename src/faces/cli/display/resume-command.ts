import { quoteWord } from "../../../shared/text/quote-controls.ts";
import type { FlagName, FlagValues } from "../flags.ts";

/** The command that continues a conversation with the same flags; undefined if it is kept only in memory. */
export function resumeCommand(
  sessionId: string,
  { flags, store }: { flags: FlagValues; store: string | undefined },
): string | undefined {
  if (store === "memory:") return undefined;
  const given = repeated.flatMap((name) => {
    const value = flags[name];
    return typeof value === "string" ? [`--${name} ${quoteWord(value)}`] : [];
  });
  return ["toolwright run --resume", sessionId, ...given, '"…"'].join(" ");
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
