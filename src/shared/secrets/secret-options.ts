import { resolve } from "node:path";
import { defined } from "../options/defined.ts";
import { kinds, mapValues, option, propertiesOf, resolveProgram } from "../options/option.ts";

/** Where a secret comes from, and where it may go. A model writes `{{secret:NAME}}` and never sees the value. */
export interface SecretSource {
  /** The name of a variable of this process. */
  readonly env?: string;
  /** A file outside of the workspace whose content it is, without the line break at its end. */
  readonly file?: string;
  /** A program that prints it, and its arguments. */
  readonly command?: readonly string[];
  /** The tools that may use it: names of any dialect, and patterns such as `mcp__github__*`. */
  readonly tools: readonly string[];
  /**
   * The hosts it may be sent to, by https: `api.example.com`, `*.example.com`; with `http://localhost:8080` also without.
   * The web tools need them. With hosts, it is refused to commands, and to tools that do not say where they send it.
   */
  readonly hosts?: readonly string[];
}

export type SecretSources = Readonly<Record<string, SecretSource>>;

export const secretSourcesOption = option<SecretSources>({
  schema: {
    type: "object",
    description: "Secrets that a model may use by name, as {{secret:NAME}}, without seeing them",
    additionalProperties: {
      type: "object",
      properties: propertiesOf<SecretSource>({
        env: kinds.text,
        file: kinds.text,
        command: kinds.texts,
        tools: kinds.texts,
        hosts: kinds.texts,
      }),
      required: ["tools"],
    },
  },
  example: { SHOP_KEY: { env: "SHOP_KEY", tools: ["network_request"], hosts: ["shop.example.com"] } },
  resolve: (sources, folder) =>
    mapValues(sources, (source) => ({
      ...source,
      ...defined({
        file: source.file === undefined ? undefined : resolve(folder, source.file),
        command: source.command && resolveProgram(source.command, folder),
      }),
    })),
});

export function checkSecretSources(sources: SecretSources): void {
  for (const [name, { env, file, command, tools, hosts }] of Object.entries(sources)) {
    const where = `secretSources.${name}`;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new TypeError(
        `${where}: a secret's name has only letters, digits and _, and begins with no digit`,
      );
    if ([env, file, command].filter((each) => each !== undefined).length !== 1)
      throw new TypeError(`${where} must have exactly one of env, file and command`);
    if (command !== undefined && !isTexts(command))
      throw new TypeError(`${where}.command must be a list of a program and its arguments`);
    if (!isTexts(tools)) throw new TypeError(`${where}.tools must list the tools that may use it`);
    if (hosts !== undefined && !isTexts(hosts)) throw new TypeError(`${where}.hosts must be a list of hosts`);
  }
}

function isTexts(list: unknown): boolean {
  return (
    Array.isArray(list) && list.length > 0 && list.every((each) => typeof each === "string" && each !== "")
  );
}
