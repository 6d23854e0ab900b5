import type { LanguageModelV4 } from "@ai-sdk/provider";

/** Where models come from. What differs in how they are reached is said here and nowhere else. */
export interface Provider {
  /** The package that speaks to it. */
  readonly packageName: string;
  /** Where its key may be, the usual place first; none where it can do without. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Where it is reached when nobody says otherwise; absent where the package knows. */
  readonly baseUrl?: string;
  /** Must be told where it is reached. */
  readonly needsBaseUrl?: true;
  open(access: ProviderAccess): Promise<(modelId: string) => LanguageModelV4>;
}

interface ProviderAccess {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** Anything that speaks as OpenAI's chat does, which most servers of open models do. */
const openCompatible = (name: string) => async (access: ProviderAccess) => {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    ...access,
    name,
    baseURL: access.baseURL ?? "",
    includeUsage: true,
  });
  return (modelId: string) => provider.languageModel(modelId);
};

export const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      packageName: "@ai-sdk/anthropic",
      keyVariables: ["ANTHROPIC_API_KEY"],
      needsKey: true,
      async open(access) {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic(access);
      },
    },
  ],
  [
    "openai",
    {
      packageName: "@ai-sdk/openai",
      keyVariables: ["OPENAI_API_KEY"],
      needsKey: true,
      async open(access) {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI(access);
      },
    },
  ],
  [
    "google",
    {
      packageName: "@ai-sdk/google",
      keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
      needsKey: true,
      async open(access) {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI(access);
      },
    },
  ],
  [
    "ollama",
    {
      packageName: "@ai-sdk/openai-compatible",
      keyVariables: [],
      needsKey: false,
      baseUrl: "http://127.0.0.1:11434/v1",
      open: openCompatible("ollama"),
    },
  ],
  [
    "openai-compatible",
    {
      packageName: "@ai-sdk/openai-compatible",
      // Not a vendor's own variable: its key must not go to whatever address is given.
      keyVariables: ["TOOLWRIGHT_API_KEY"],
      needsKey: false,
      needsBaseUrl: true,
      open: openCompatible("openai-compatible"),
    },
  ],
]);
