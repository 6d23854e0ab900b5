import type { LanguageModelV4 } from "@ai-sdk/provider";
import { commonImageTypes } from "../../../formats/index.ts";

/**
 * The image types that a model can be shown in a tool's result. An image that the provider refuses would stay in the
 * transcript and fail every further step, so types that may not work are described in words instead.
 */
export function shownImages({
  specificationVersion,
  provider,
}: Pick<LanguageModelV4, "specificationVersion" | "provider">): ReadonlySet<string> {
  // Older versions of the interface represent images differently.
  if (String(specificationVersion) !== "v4") return none;
  return exceptions.find(([wire]) => wire.test(provider))?.[1] ?? commonImageTypes;
}

const none: ReadonlySet<string> = new Set();

/** Providers whose models can be shown other images, by the AI SDK's names of providers. */
const exceptions: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  // Chat completions take no images in tool results: they would be sent as text.
  [/\.chat$/, none],
  [/^google\b/, new Set(["image/png", "image/jpeg", "image/webp"])],
];

/**
 * Whether a model that is held to a format can still call tools. Servers with OpenAI's chat API often hold every answer to
 * the format, calls included, or refuse the two together.
 */
export function formatsWithTools({ provider }: Pick<LanguageModelV4, "provider">): boolean {
  // By the AI SDK's provider names.
  return !provider.endsWith(".chat") || provider === "openai.chat";
}
