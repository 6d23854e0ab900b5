import { type Dialect, dialectNames } from "./dialect.ts";
import { canonical } from "./tables/canonical.ts";
import { claudeCode } from "./tables/claude-code.ts";
import { codex } from "./tables/codex.ts";
import { eko } from "./tables/eko.ts";
import { flyto } from "./tables/flyto.ts";
import { geminiCli } from "./tables/gemini-cli.ts";
import { internal } from "./tables/internal.ts";
import { kode } from "./tables/kode.ts";
import { pulse } from "./tables/pulse.ts";

export const dialects: readonly Dialect[] = [
  flyto,
  internal,
  kode,
  pulse,
  eko,
  claudeCode,
  codex,
  geminiCli,
  canonical,
];

/** The dialect of a runtime whose options name none. */
export const defaultDialect = flyto.name;

export function findDialect(name: string): Dialect {
  const dialect = dialects.find((each) => each.name === name);
  if (dialect !== undefined) return dialect;
  const known = dialects.map((each) => each.name).join(", ");
  throw new TypeError(`dialect must be one of ${known}; received ${JSON.stringify(name)}`);
}

/** Every name of every dialect with its canonical name: a rule for one name applies to the tool under all of them. */
export function allDialectNames(among: readonly Dialect[] = dialects): Map<string, string> {
  return new Map(among.flatMap(dialectNames));
}

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
