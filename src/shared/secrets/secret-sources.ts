import { resolve } from "node:path";
import { runProgram } from "../programs/run-program.ts";
import { relativeInside } from "../relative-inside.ts";
import type { SecretSource, SecretSources } from "./secret-options.ts";

export type Secrets = Awaited<ReturnType<typeof openSecrets>>;

export interface SecretParts {
  /** The workspace: programs run in the first folder, and nothing in them may say what a secret is. */
  readonly roots: readonly [string, ...string[]];
  /** Masks a value from now on. */
  readonly mask: (value: string) => void;
}

/** The secrets of a runtime. Variables and files are read at once, so that their values are masked before any use. */
export async function openSecrets(sources: SecretSources, { roots, mask }: SecretParts) {
  /** A secret's value now, which is masked everywhere from then on. Rejects with an Error that says why there is none. */
  const read = async (name: string, signal?: AbortSignal): Promise<string> => {
    const found = await readSource(sources[name]!, { roots, signal });
    // A shorter value would be a part of too many texts to be masked in them.
    if (found.length < minCharacters)
      throw new Error(
        found === ""
          ? "it is empty"
          : `it has fewer than ${minCharacters} characters, so it could not be masked`,
      );
    if (found.includes("\0")) throw new Error("it contains a NUL character");
    mask(found);
    return found;
  };
  const known = Object.keys(sources).filter((name) => sources[name]!.command === undefined);
  await Promise.all(known.map((name) => read(name).catch(() => {})));
  return { sources, read };
}

const minCharacters = 8;

async function readSource(
  { env, file, command }: SecretSource,
  { roots, signal }: Pick<SecretParts, "roots"> & { signal?: AbortSignal | undefined },
): Promise<string> {
  if (env !== undefined) {
    const found = process.env[env];
    if (found === undefined) throw new Error(`the variable ${env} is not set`);
    return found;
  }
  if (file !== undefined) {
    const { readFile } = await import("node:fs/promises");
    await refuseInside(file, roots);
    const found = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      throw new Error(`its file cannot be read: ${error.code ?? error.message}`);
    });
    return withoutBreak(found);
  }
  const limits = { timeoutMs: 30_000, maxOutputBytes: 64 * 1024 };
  const end = await runProgram(command!, { cwd: roots[0], untrusted: roots, signal, ...limits }).catch(
    (error: Error) => {
      throw new Error(`its program failed: ${error.message}`);
    },
  );
  // The program's output may be the secret, so only its exit code is told.
  if (end.exitCode !== 0)
    throw new Error(`its program failed with exit code ${end.exitCode ?? "of a signal"}`);
  return withoutBreak(end.stdout);
}

/**
 * Refuses a file in the workspace: tools write there, and its content is sent as the secret and masked in the
 * log.
 */
async function refuseInside(file: string, roots: SecretParts["roots"]): Promise<void> {
  const { realpath } = await import("node:fs/promises");
  const real = (path: string) => realpath(path).catch(() => path);
  const folders = [...roots, ...(await Promise.all(roots.map(real)))];
  // A link in the workspace could be replaced, and one elsewhere leads to a file that could be.
  const places = [resolve(file), await real(file)];
  if (!places.some((place) => folders.some((folder) => relativeInside(folder, place) !== undefined))) return;
  throw new Error("its file is in the workspace, where tools may read and change it; keep it elsewhere");
}

function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}
