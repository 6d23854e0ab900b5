import { kinds, option, propertiesOf } from "../../shared/options/option.ts";

/** How shell commands run. */
export interface ShellOptions {
  /** Additional environment variables for commands, with their values. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of this process's variables to pass on to commands; those that look like secrets never are. */
  readonly passEnvironment?: readonly string[];
  /** After this time, a running command becomes a background job. Default: never. */
  readonly backgroundAfterMs?: number;
  /** How much of a command's output is kept in a file. Default: 64 MB. */
  readonly maxOutputFileBytes?: number;
}

export const shellOptions = {
  shell: option<ShellOptions>({
    schema: {
      type: "object",
      description: "Settings for shell commands",
      properties: propertiesOf<ShellOptions>({
        environment: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Variables that every command gets",
        },
        passEnvironment: {
          ...kinds.texts,
          description: "Names of variables that are passed on from the environment",
        },
        backgroundAfterMs: {
          type: "number",
          minimum: 1,
          description: "After how many milliseconds a command goes on in the background",
        },
        maxOutputFileBytes: { ...kinds.count, description: "How much of a command's output is kept" },
      }),
    },
    example: { passEnvironment: ["JAVA_HOME"], backgroundAfterMs: 30_000 },
  }),
};
