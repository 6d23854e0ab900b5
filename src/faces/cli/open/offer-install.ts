import { homedir } from "node:os";
import { ModelError } from "../../../capabilities/agents/index.ts";
import { runProgram } from "../../../shared/programs/run-program.ts";
import { oneLine } from "../../../shared/text/one-line.ts";

export interface InstallPrompter {
  /** Whether the person agrees to run exactly this command. */
  confirm(command: string): Promise<boolean>;
  tell(text: string): void;
}

/** Installs the package that a model lacks, if the person agrees. False if the error is another one, or the person refuses. */
export async function offerInstall(
  error: unknown,
  { confirm, tell }: InstallPrompter,
  { workspace, environment = process.env }: { workspace: string; environment?: NodeJS.ProcessEnv },
): Promise<boolean> {
  const install = error instanceof ModelError ? error.install : undefined;
  if (install === undefined) return false;
  const { command, folder } = install;
  if (!(await confirm(command.join(" ")))) return false;
  tell(`Running ${command.join(" ")} …`);
  // Npm does not run in the workspace: its .npmrc could name another registry.
  const cwd = folder ?? homedir();
  const untrusted = folder === undefined ? [workspace] : [];
  const variables = variablesOf(environment);
  const end = await runProgram(command, { cwd, untrusted, variables, timeoutMs, maxOutputBytes });
  if (end.exitCode !== 0)
    throw new ModelError(`${command.join(" ")} failed: ${oneLine(end.stderr || end.stdout, 500)}`);
  tell("Installed.");
  return true;
}

const timeoutMs = 5 * 60_000;
const maxOutputBytes = 4 * 2 ** 20;

/** The variables by which npm reaches the registry that the user has set up. */
function variablesOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  const wanted = /^(?:npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs)$/i;
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && wanted.test(name) ? [[name, value]] : [],
    ),
  );
}
