import type { LanguageModelV4 } from "@ai-sdk/provider";
import { commonImageTypes } from "../../interop/result-content.ts";

/**
 * The types of image that a model can be shown in what a tool answers. One that its provider refuses would stay in the
 * transcript and end every further step, so what is not sure is told of in words.
 */
export function shownImages({
  specificationVersion,
  provider,
}: Pick<LanguageModelV4, "specificationVersion" | "provider">): ReadonlySet<string> {
  // Older versions of the interface have another form for images.
  if (String(specificationVersion) !== "v4") return none;
  return exceptions.find(([wire]) => wire.test(provider))?.[1] ?? commonImageTypes;
}

const none: ReadonlySet<string> = new Set();

/** By the names that the AI SDK gives to the ways to its models. */
const exceptions: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  // Chat completions have no images there: they would be written out as text.
  [/\.chat$/, none],
  [/^google\b/, new Set(["image/png", "image/jpeg", "image/webp"])],
];
