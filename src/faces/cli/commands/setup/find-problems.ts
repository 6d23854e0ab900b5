import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { doctors, keptKinds } from "../../../../capabilities.ts";
import {
  type Doctor,
  type Finding,
  findNetworkState,
  openRecords,
  type RuntimeOptions,
  stateFolderOf,
} from "../../../../kernel/runtime/index.ts";
import { fileOfStore, findDamagedVariables, intentFolderOf } from "../../../../kernel/store/index.ts";
import {
  existsNow,
  openKernelLock,
  openLockFolder,
  takePatiently,
  userLocks,
  withUserLock,
} from "../../../../machine/locks/index.ts";
import { describeSandbox } from "../../../../machine/sandbox/index.ts";
import { openRuntime, type Runtime } from "../../../../open-runtime.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { trustedPath } from "../../../../shared/programs/trusted-path.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import type { ToolError } from "../../../../tool/tool-error.ts";
import { waitForServers } from "../../open/wait-for-servers.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";

/** Checks everything Toolwright relies on; a failed check does not stop the others. */
export async function findProblems(
  options: RuntimeOptions,
  { packageVersion, output }: { packageVersion: string; output: CommandOutput },
): Promise<Finding[]> {
  return [
    ok("node", process.version),
    ok("toolwright", packageVersion),
    await checkStateFolder(options),
    await checkLocks(() => storeFileOf(options)),
    ...(await checkRuntime(options, output)),
    await checkGit(options),
    ...(await askDoctors(({ onMachine }) => onMachine?.())),
  ];
}

/** Asks the capabilities for their findings, in the order of their list. */
async function askDoctors(
  ask: (doctor: Doctor) => Promise<readonly Finding[]> | undefined,
): Promise<readonly Finding[]> {
  return (await Promise.all(doctors.map(async (doctor) => (await ask(doctor)) ?? []))).flat();
}

function ok(check: string, found: string): Finding {
  return { check, mark: "ok", found };
}

function rootOf({ workspace }: RuntimeOptions): Promise<string> {
  const root = resolve(typeof workspace === "object" ? workspace.root : (workspace ?? "."));
  // A missing workspace is reported when the runtime is opened.
  return realpath(root).catch(() => root);
}

/** The file of the records; undefined if they are kept in memory. */
async function storeFileOf(options: RuntimeOptions): Promise<string | undefined> {
  if (options.store === "memory:") return undefined;
  return fileOfStore(options.store, join(stateFolderOf(await rootOf(options)), "store.sqlite"));
}

async function checkStateFolder(options: RuntimeOptions): Promise<Finding> {
  const check = "state folder";
  if (options.store === "memory:") return ok(check, "not used: records are kept in memory");
  let folder: string;
  try {
    folder = stateFolderOf(await rootOf(options));
  } catch (error) {
    return { check, mark: "fail", found: (error as Error).message };
  }
  const place = await nearestExisting(folder);
  const refusal = await access(place, constants.W_OK | constants.X_OK).catch((error: Error) => error);
  if (refusal !== undefined) {
    const advice = "make it writable, or set XDG_STATE_HOME";
    return { check, mark: "fail", found: `cannot write to ${place}`, advice };
  }
  const network = await findNetworkState(folder, options.store);
  if (network !== undefined) return { check, mark: "warn", ...network };
  if (place !== folder) return ok(check, `${folder} (created on first use)`);
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return ok(check, folder);
  const found = `${folder} was accessible to other users (mode ${(mode & 0o777).toString(8)})`;
  const advice = "it is made private whenever it is used; find out who changed it";
  return { check, mark: "warn", found, advice };
}

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function checkRuntime(options: RuntimeOptions, output: CommandOutput): Promise<Finding[]> {
  let runtime: Runtime;
  try {
    runtime = await openRuntime({ ...options, mcpStart: "when-needed" });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    const advice = `nothing can run until this is fixed${/malformed|not a database/.test(found) ? `; ${damageAdvice}` : ""}`;
    return [{ check: "runtime", mark: "fail", found, advice }];
  }
  try {
    await waitForServers(runtime, { output });
    return [
      await checkStore(options),
      await checkReceipts(runtime),
      ...checkTools(runtime),
      ...(await askDoctors(({ inRuntime }) => inRuntime?.(runtime))),
      await checkSandbox(runtime),
    ];
  } finally {
    await runtime.close();
  }
}

/** Looks for damage in SQLite's own pages, such as those of an index, which no chain of hashes covers. */
async function checkStore(options: RuntimeOptions): Promise<Finding> {
  const check = "store";
  const { store, close } = await openRecords(options);
  try {
    const refusal = await store.maintenance.probe().catch((error: Error) => error);
    if (refusal !== undefined) return { check, mark: "fail", found: refusal.message };
    const [damage] = await store.maintenance.findDamage().catch((error: Error) => [error.message]);
    if (damage !== undefined) {
      const found = `the database is damaged: ${oneLine(damage, 200)}`;
      return { check, mark: "fail", found, advice: damageAdvice };
    }
    const damaged = await findDamagedVariables(store, { kinds: keptKinds });
    if (damaged.length === 0) return ok(check, "opens");
    const names = damaged.map(({ scope, name }) => `${scope} ${name}`).join(", ");
    const found = `variables beside the log cannot be read: ${names}`;
    const advice = "sessions go on without it; docs/crashes.md says what that means";
    return { check, mark: "warn", found, advice };
  } finally {
    await close();
  }
}

const damageAdvice = "docs/operations.md says how to get out what can be read";

async function checkReceipts(runtime: Runtime): Promise<Finding> {
  const check = "receipts";
  const reports = await runtime.verify();
  const broken = reports.filter((report) => report.broken !== undefined).map(({ sessionId }) => sessionId);
  if (broken.length > 0) {
    const found = `the chain is broken in ${broken.join(", ")}`;
    return { check, mark: "fail", found, advice: "`toolwright log --verify` shows where" };
  }
  const count = reports.reduce((sum, { receipts }) => sum + receipts, 0);
  return ok(check, `${count} in ${countOf(reports.length, "session")}, every chain is intact`);
}

/** Warns of a missing sandbox: tools also work without one, so its absence would not be noticed. */
async function checkSandbox(runtime: Runtime): Promise<Finding> {
  const sandbox = await runtime.sandbox();
  const check = "sandbox";
  const found = describeSandbox(sandbox);
  return sandbox.kind === "none" ? { check, mark: "warn", found } : ok(check, found);
}

function checkTools(runtime: Runtime): Finding[] {
  const check = "tools";
  const problems = runtime.problems().map(
    ({ source, subject, message, severity, about }): Finding => ({
      check: about === "rule" ? "rules" : check,
      mark: severity === "warning" ? "warn" : "fail",
      found: `${subject} (${source}): ${message}`,
    }),
  );
  if (problems.some((problem) => problem.check === check)) return problems;
  return [ok(check, `${runtime.tools.list().length}, no problems`), ...problems];
}

const run = promisify(execFile);

/** Asks git for its version. It never runs a program of the workspace, even if the PATH leads there. */
async function checkGit(options: RuntimeOptions): Promise<Finding> {
  const check = "git";
  try {
    const PATH = await trustedPath(process.env.PATH ?? "", [await rootOf(options)], check);
    const { stdout } = await run(check, ["--version"], { timeout: 5000, cwd: "/", env: { PATH } });
    return ok(check, stdout.trim().split("\n")[0] ?? "");
  } catch {
    const advice = "install git; without it, changes cannot be compared with commits";
    return { check, mark: "warn", found: "not found", advice };
  }
}

/** Tries the locks: a suspended process, or a folder that cannot be written, keeps all others from changing files. */
async function checkLocks(findStore: () => Promise<string | undefined>): Promise<Finding> {
  const check = "locks";
  try {
    for (const name of userLocks) await withUserLock(name, () => {}, { patienceMs });
    for (const file of await locksBeside(await findStore())) await tryLock(file);
    return ok(check, `free, in ${openLockFolder()}`);
  } catch (error) {
    const { message: found, hint: advice } = error as ToolError;
    return { check, mark: "fail", found, ...defined({ advice }) };
  }
}

const patienceMs = 1000;

/** The locks whose files exist: the others were never needed. */
async function locksBeside(storeFile: string | undefined): Promise<readonly string[]> {
  if (storeFile === undefined) return [];
  const folder = intentFolderOf(storeFile);
  const files = await Promise.all(doctors.map((doctor) => doctor.locks?.(folder) ?? []));
  return files.flat().filter(existsNow);
}

async function tryLock(file: string): Promise<void> {
  const lock = openKernelLock(file);
  try {
    await takePatiently(lock, patienceMs);
  } finally {
    lock.close();
  }
}
