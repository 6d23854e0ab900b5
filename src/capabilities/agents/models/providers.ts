import type { LanguageModelV4 } from "@ai-sdk/provider";

/** Where models come from. All differences in how to reach them are declared here. */
export interface Provider {
  /** The npm package of its AI SDK provider; absent if it is part of this package. */
  readonly packageName?: string;
  /** Environment variables that may hold its API key, the usual one first. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Default base URL; absent if the package has its own. */
  readonly baseUrl?: string;
  /** The base URL must be given. */
  readonly needsBaseUrl?: true;
  open(access: ProviderAccess): Promise<(modelId: string) => LanguageModelV4>;
}

interface ProviderAccess {
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** Lets a bundler pass over a package that is not installed; loading it reports the missing package. */
function absent(error: unknown): never {
  throw error;
}

/** Any server with OpenAI's chat API, which most servers of open models have. */
const openCompatible = (name: string) => async (access: ProviderAccess) => {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    ...access,
    name,
    baseURL: access.baseURL ?? "",
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return (modelId: string) => provider.languageModel(modelId);
};

export const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries<Provider>({
    anthropic: {
      packageName: "@ai-sdk/anthropic",
      keyVariables: ["ANTHROPIC_API_KEY"],
      needsKey: true,
      open: async (access) => (await import("@ai-sdk/anthropic").catch(absent)).createAnthropic(access),
    },
    openai: {
      packageName: "@ai-sdk/openai",
      keyVariables: ["OPENAI_API_KEY"],
      needsKey: true,
      open: async (access) => (await import("@ai-sdk/openai").catch(absent)).createOpenAI(access),
    },
    google: {
      packageName: "@ai-sdk/google",
      keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
      needsKey: true,
      open: async (access) => (await import("@ai-sdk/google").catch(absent)).createGoogleGenerativeAI(access),
    },
    ollama: {
      keyVariables: [],
      needsKey: false,
      baseUrl: "http://127.0.0.1:11434/v1",
      open: openCompatible("ollama"),
    },
    "openai-compatible": {
      // Not a vendor's own variable: the vendor's key must not be sent to any other server.
      keyVariables: ["TOOLWRIGHT_API_KEY"],
      needsKey: false,
      needsBaseUrl: true,
      open: openCompatible("openai-compatible"),
    },
  }),
);
