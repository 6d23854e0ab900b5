import { findModel } from "../../../src/capabilities/agents/models/find-model.ts";
import { type ServedScript, startModelServer } from "./start-model-server.ts";

/** A model over each vendor's wire, by the vendor's own provider. */
export const modelNames = [
  "anthropic/claude-test",
  "openai/gpt-test",
  "openai-compatible/any-test",
  "google/gemini-3-test",
] as const;

/** Each to be known again where it went. */
export const modelKeys = {
  ANTHROPIC_API_KEY: "test-key-anthropic",
  OPENAI_API_KEY: "test-key-openai",
  GEMINI_API_KEY: "test-key-google",
};

/** A model that says what the server is told to say, and what it was asked. */
export async function serveModel(name: string, script: ServedScript) {
  const { url, requests } = await startModelServer(script);
  const model = await findModel(name, { baseUrl: url, environment: modelKeys });
  return { model, requests };
}
