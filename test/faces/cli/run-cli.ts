import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";
import { type CliResult, type CliRun, runInHost } from "./run-in-host.ts";

/** The built command line in a workspace and a state folder of its own, both gone after the test. */
export interface Cli {
  readonly folder: string;
  readonly workspace: string;
  readonly environment: NodeJS.ProcessEnv;
  (words: readonly string[], options?: CliOptions): Promise<CliResult>;
}

interface CliOptions {
  readonly stdin?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** For what only a process can show, such as how it ends. Takes ten times as long. */
  readonly ownProcess?: boolean;
}

export const mainFile = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** What tool files in a test's folder import. */
export const packageAddress = new URL("../../../dist/index.js", import.meta.url).href;

export async function createCli(files: Record<string, string> = {}): Promise<Cli> {
  const folder = temporaryFolder();
  const workspace = join(folder, "workspace");
  putFiles(workspace, files);
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const run = async (words: readonly string[], options: CliOptions = {}): Promise<CliResult> => {
    const { stdin: input = "" } = options;
    const run = {
      words: [mainFile, ...words],
      cwd: workspace,
      environment: { ...environment, ...options.environment },
      input,
    };
    return options.ownProcess ? runAlone(run) : runInHost(run);
  };
  return Object.assign(run, { folder, workspace, environment });
}

async function runAlone({ words, cwd, environment, input }: CliRun): Promise<CliResult> {
  const child = startNode(words, { cwd, env: environment });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { exitCode, stdout, stderr };
}

export function startNode(words: readonly string[], options: SpawnOptions): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...words], { ...options, stdio: "pipe" });
}

/** A tool file's text; `definition` is what stands in the braces of `defineTool`. */
function toolFile(definition: string): string {
  return `import { defineTool } from ${JSON.stringify(packageAddress)};\nexport default defineTool({${definition}});\n`;
}

export function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** A workspace with tools of its own in `tools/`, and a configuration that names the folder. */
export function createCliWithTools(tools: Record<string, string>, config: object = {}): Promise<Cli> {
  const files = Object.entries(tools).map(([path, definition]) => [`tools/${path}`, toolFile(definition)]);
  return createCli({
    ...Object.fromEntries(files),
    "config.json": JSON.stringify({ toolFolders: ["tools"], ...config }),
  });
}
