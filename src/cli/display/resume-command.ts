import { quoteWord } from "../../shared/text/quote-word.ts";
import type { FlagName, FlagValues } from "../flags.ts";

/** What to type to go on with a conversation as it was begun; undefined where it is gone with the process. */
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

/** Where the conversation is kept, who works in it, and what they may do. */
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
