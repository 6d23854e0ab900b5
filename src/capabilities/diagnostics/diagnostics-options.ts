import { maxDelayMs } from "../../shared/deadline.ts";
import { compileGlob } from "../../shared/glob/compile-glob.ts";
import { kinds, option, propertiesOf, resolveProgram } from "../../shared/options/option.ts";

/** What checkers print; `language-server` is for a program that speaks the Language Server Protocol on its stdin and stdout. */
const checkerFormats = ["tsc", "eslint-json", "biome-json", "unix", "language-server"] as const;

/** A program of the project that looks for problems in files that calls have changed. */
export interface CheckerOptions {
  /** The files that it is for: a glob relative to the workspace, such as `**\/*.ts`. */
  readonly files: string;
  /**
   * The program and its arguments. No shell reads them. The word `{files}` stands for the changed files; without it, the
   * program is expected to look at the whole project.
   */
  readonly command: readonly string[];
  readonly format: (typeof checkerFormats)[number];
  /** How long a result waits for it. Default: 30 seconds, for a language server 10. */
  readonly timeoutMs?: number;
  /** Lets it write in the workspace, as for a cache. Default: it only reads. */
  readonly writable?: boolean;
}

export const diagnosticsOptions = {
  diagnostics: option<readonly CheckerOptions[]>({
    schema: {
      type: "array",
      description: "Programs that look for problems in changed files; the result tells their findings",
      items: {
        type: "object",
        properties: propertiesOf<CheckerOptions>({
          files: { ...kinds.text, description: "The files it is for, such as **/*.ts" },
          command: kinds.argv,
          format: { enum: checkerFormats },
          timeoutMs: kinds.positive,
          writable: kinds.flag,
        }),
        required: ["files", "command", "format"],
      },
    },
    check: checkDiagnostics,
    example: [{ files: "**/*.ts", command: ["npx", "tsc", "--noEmit"], format: "tsc" }],
    resolve: (checkers, folder) =>
      checkers.map((each) => ({ ...each, command: resolveProgram(each.command, folder) })),
  }),
};

/** Throws a TypeError for a checker that could not work. */
export function checkDiagnostics(checkers: readonly CheckerOptions[]): void {
  if (!Array.isArray(checkers)) throw new TypeError("diagnostics must be a list");
  for (const [index, { files, command, format, timeoutMs, writable }] of checkers.entries()) {
    const where = `diagnostics[${index}]`;
    if (typeof files !== "string" || files === "")
      throw new TypeError(`${where}.files must be a glob such as "**/*.ts"`);
    compileGlob(files);
    const isArgv = Array.isArray(command) && command.every((word) => typeof word === "string");
    if (!isArgv || command.length === 0 || command[0] === "" || command[0] === filesWord)
      throw new TypeError(
        `${where}.command must be a list of a program and its arguments, such as ["tsc", "--noEmit"]`,
      );
    if (!checkerFormats.includes(format))
      throw new TypeError(
        `${where}.format must be one of ${checkerFormats.join(", ")}; received ${JSON.stringify(format)}`,
      );
    if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= maxDelayMs))
      throw new TypeError(
        `${where}.timeoutMs must be a number above 0; received ${JSON.stringify(timeoutMs)}`,
      );
    if (writable !== undefined && typeof writable !== "boolean")
      throw new TypeError(`${where}.writable must be true or false`);
  }
}

export const filesWord = "{files}";
