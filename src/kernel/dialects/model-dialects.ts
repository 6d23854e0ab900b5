import { canonical } from "./tables/canonical.ts";
import { claudeCode } from "./tables/claude-code.ts";
import { codex } from "./tables/codex.ts";
import { geminiCli } from "./tables/gemini-cli.ts";

/** The dialect for a model, by its name: the one that it was trained on, if that is known. */
export function dialectOfModel(model: string | undefined): string {
  const trained = trainedOn.find(({ models }) => models.test(model ?? ""));
  return (trained?.dialect ?? canonical).name;
}

/** Names come with and without a provider: `anthropic/claude-…`, `us.anthropic.claude-…`, `openai/o3-mini`. */
const trainedOn = [
  { models: /\bclaude/i, dialect: claudeCode },
  { models: /\b(?:chat)?gpt|\bcodex|(?:^|[/.:])o\d+(?:-|$)/i, dialect: codex },
  { models: /\bgemini/i, dialect: geminiCli },
];
