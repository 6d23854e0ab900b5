import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ConfigFile, declaredOptions } from "../../../capabilities.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { closeSchema } from "../../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { type ObjectShape, value } from "../../../shared/options/known-keys.ts";
import { parseCommentedJson } from "../../../shared/options/parse-commented-json.ts";
import { findUnknownKey } from "../../../shared/options/refuse-unknown-keys.ts";
import { UsageError } from "../command.ts";

/** The options that a file can give, those of the kernel first. */
const fileOptions = [...declaredOptions.all].flatMap(([name, { file }]) =>
  file === undefined ? [] : [{ name, ...file }],
);

export const configKeys: ObjectShape = {
  kind: "object",
  keys: { $schema: value, ...Object.fromEntries(fileOptions.map(({ name, keys }) => [name, keys])) },
  orValue: false,
};

/** The schema that editors complete and check a configuration file by. */
export const configSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of Toolwright",
  type: "object",
  properties: {
    $schema: { type: "string", description: "Where editors find the schema of this file" },
    ...Object.fromEntries(fileOptions.map(({ name, schema }) => [name, schema])),
  },
  additionalProperties: false,
} satisfies JsonSchema;

/** A configuration, or a plugin, cannot be used as it is written. */
export class ConfigError extends UsageError {
  override readonly name = "ConfigError";
}

export interface ReadConfig {
  readonly options: ConfigFile;
  /** The hash of the whole text: the person trusts exactly this. */
  readonly hash: string;
}

/** Reads options from a JSON file, which may have comments. Paths in it are relative to the file. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  return (await checkConfig(await read(file), file)).options;
}

const maxBytes = 1024 * 1024;

/** Reads a file that was found by its default name; undefined if there is no such file. */
export async function readFoundConfig(file: string): Promise<ReadConfig | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  // Reading a pipe would block for ever.
  if (!stats.isFile()) throw invalid(file, "it is not a regular file");
  if (stats.size > maxBytes) throw invalid(file, "it is larger than 1 MB");
  return checkConfig(await read(file), file);
}

async function checkConfig(text: string, file: string): Promise<ReadConfig> {
  const given = await parse(text, file);
  const unknown = findUnknownKey(given, configKeys);
  if (unknown !== undefined) throw invalid(file, unknown);
  const validation = compileSchema(closeSchema({ type: "object", properties: configSchema.properties }))(
    given,
  );
  if (!validation.ok) throw invalid(file, validation.issues.map(({ message }) => message).join("; "));
  const { $schema: _, ...options } = validation.value as ConfigFile & { $schema?: string };
  return { options: resolvePaths(options, dirname(resolve(file))), hash: sha256(text) };
}

function invalid(file: string, problem: string): ConfigError {
  return new ConfigError(`the configuration ${file} is invalid: ${problem}`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ConfigError(`the configuration ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

async function parse(text: string, file: string): Promise<unknown> {
  try {
    return await parseCommentedJson(text);
  } catch (cause) {
    throw new ConfigError(`the configuration ${file} is not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function resolvePaths(config: ConfigFile, folder: string): ConfigFile {
  const options = Object.entries(config).map(([name, given]) => {
    const resolvePath = declaredOptions.all.get(name)?.file?.resolve;
    return [name, given === undefined || resolvePath === undefined ? given : resolvePath(given, folder)];
  });
  return Object.fromEntries(options);
}
