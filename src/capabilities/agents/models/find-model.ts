import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import { ModelError, type ProviderInstall } from "./model-error.ts";
import { type Provider, providers } from "./providers.ts";
import type { ScriptedStep } from "./scripted-model.ts";

export interface ModelPlace {
  /** Base URL of the model's server. */
  readonly baseUrl?: string | undefined;
  /** Default: looked up in the environment. */
  readonly apiKey?: string;
  /** Where API keys are looked up. Default: the process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Finds the model for a name such as `anthropic/claude-sonnet-4-5`. Errors say what to install or to set. */
export async function findModel(name: string, place: ModelPlace = {}): Promise<LanguageModelV4> {
  const [, prefix = "", rest = ""] = /^([^/]*)\/(.+)$/s.exec(name) ?? [];
  if (prefix === "scripted") return readModelScript(rest);
  const provider = providers.get(prefix);
  if (provider !== undefined) return openModel(provider, { name, modelId: rest }, place);
  // If a base URL is given, the whole name is the model's.
  const compatible = providers.get(compatibleProvider);
  if (place.baseUrl !== undefined && compatible !== undefined)
    return openModel(compatible, { name, modelId: name }, place);
  throw new ModelError(unknownName(name, prefix));
}

/** Reads a scripted model's steps from a JSON file, for demonstrations on the command line. */
async function readModelScript(file: string): Promise<LanguageModelV4> {
  const { scriptedModel } = await import("./scripted-model.ts");
  try {
    const steps: unknown = JSON.parse(await readFile(file, "utf8"));
    if (Array.isArray(steps) && steps.every(isStep)) return scriptedModel(steps);
  } catch (cause) {
    throw new ModelError(`cannot read the script ${file}: ${(cause as Error).message}`, { cause });
  }
  throw new ModelError(
    `the script ${file} must be a list of steps such as {"text": "…"} or {"calls": [{"name": "…", "input": {}}]}`,
  );
}

function isStep(step: unknown): step is ScriptedStep {
  if (!isPlainObject(step)) return false;
  const { text = "", reasoning = "", calls = [] } = step;
  const isCall = (call: unknown) => isPlainObject(call) && typeof call.name === "string";
  return (
    typeof text === "string" && typeof reasoning === "string" && Array.isArray(calls) && calls.every(isCall)
  );
}

/** The provider of a model by its name; of a name without one, the server's whose base URL is given. */
export function providerOf(name: string): string {
  const prefix = name.slice(0, Math.max(0, name.indexOf("/")));
  return prefix === "scripted" || providers.has(prefix) ? prefix : compatibleProvider;
}

export const compatibleProvider = "openai-compatible";

/** The models' API keys from the environment, to be masked wherever they appear. */
export function modelKeys(environment: Readonly<Record<string, string | undefined>>): string[] {
  const variables = [...providers.values()].flatMap(({ keyVariables }) => keyVariables);
  return variables.map((variable) => environment[variable]?.trim() ?? "").filter((key) => key !== "");
}

async function openModel(
  provider: Provider,
  { name, modelId }: { name: string; modelId: string },
  { baseUrl = provider.baseUrl, environment = process.env, apiKey: given }: ModelPlace,
): Promise<LanguageModelV4> {
  const apiKey = given ?? findKey(provider, environment);
  if (apiKey === undefined && provider.needsKey) {
    const [first = "", ...others] = provider.keyVariables;
    const instead = others.length > 0 ? ` (or ${others.join(", ")})` : "";
    throw new ModelError(`${name} needs an API key: set ${first}${instead} in the environment`);
  }
  if (baseUrl === undefined && provider.needsBaseUrl)
    throw new ModelError(`${name} needs the base URL of its server, such as http://127.0.0.1:8080/v1`);
  const access = defined({ apiKey, baseURL: baseUrl === undefined ? undefined : checkUrl(baseUrl) });
  const create = await load(provider, name, access);
  return create(modelId);
}

function findKey({ keyVariables }: Provider, environment: NonNullable<ModelPlace["environment"]>) {
  // Trimmed, because a key read from a file often ends with a line break.
  const keys = keyVariables.map((variable) => [variable, environment[variable]?.trim() ?? ""] as const);
  const [variable, key] = keys.find(([, each]) => each !== "") ?? [];
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new ModelError(`${variable} is not a valid API key: it contains spaces or non-ASCII characters`);
  return key;
}

function checkUrl(baseUrl: string): string {
  const url = baseUrl.trim();
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new ModelError(
    `the base URL must be a URL such as http://127.0.0.1:8080/v1; received ${JSON.stringify(baseUrl)}`,
  );
}

async function load(
  { open, packageName }: Provider,
  name: string,
  access: Parameters<Provider["open"]>[0],
): Promise<(modelId: string) => LanguageModelV4> {
  try {
    return await open(access);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing || packageName === undefined) throw cause;
    const install = findInstall(packageName);
    const command = install.command.join(" ");
    throw new ModelError(`${name} needs a package that is not installed. Run: ${command}`, {
      cause,
      install,
    });
  }
}

/**
 * The command that installs a package beside this one, where it is looked for: a global install would not find a package of
 * the project.
 */
export function findInstall(
  packageName: string,
  here = import.meta.url,
  cwd = process.cwd(),
): ProviderInstall {
  const [home = "", installed] = fileURLToPath(here).split(/[\\/]node_modules[\\/]/);
  const isGlobal = installed !== undefined && relativeInside(home, cwd) === undefined;
  if (isGlobal) return { command: ["npm", "install", "--global", packageName] };
  return { command: ["npm", "install", packageName], folder: installed === undefined ? cwd : home };
}

function unknownName(name: string, prefix: string): string {
  const known = [...providers.keys()];
  const nearest = nearestNames(prefix, known);
  return `unknown model ${JSON.stringify(name)}: a name starts with ${known.join("/, ")}/ or scripted/; any other name needs a base URL${orMeant(nearest)}`;
}
