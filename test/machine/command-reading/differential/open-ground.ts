import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { promisify } from "node:util";
import type { Session } from "../../../../src/index.ts";
import type { Mode } from "../../../../src/kernel/policy/decide.ts";
import type { Verdict } from "../../../../src/kernel/policy/verdict.ts";
import { childEnvironment } from "../../../../src/machine/child/child-environment.ts";
import { isKnownProgram } from "../../../../src/machine/command-reading/tables/index.ts";
import { createNoSandbox } from "../../../../src/machine/sandbox/open-sandbox.ts";
import { openRuntimeAt } from "../../../../src/open-runtime.ts";
import { nowhere, testPolicyPlaces } from "../../../support/open-test-session.ts";
import { judgeInBulk } from "./defer-bash.ts";
import { findSurprises, type JudgingGround } from "./judge-deeds.ts";
import { canaries, type PlantedWorld } from "./plant-world.ts";
import { runTraced, type TracedRun, type TracedSurroundings } from "./run-traced.ts";

/** A planted world, what the runtime says of commands in it, and what they then do. */
export interface Ground {
  readonly world: PlantedWorld;
  /** The same as for one command after the other. */
  verdicts(commands: readonly string[]): Promise<Verdict[]>;
  /** Sets of programs that commands may find, each with those that it has other than the installed ones. */
  readonly implementations: ReadonlyMap<string, ReadonlyMap<string, string>>;
  run(commands: readonly string[], implementation?: string): Promise<TracedRun[]>;
  surprises(judged: JudgedLine, run: TracedRun): Promise<string[]>;
  close(): Promise<void>;
}

export interface JudgedLine {
  readonly command: string;
  readonly verdict: Verdict;
}

/** Without a sandbox: what it would stop has to be judged right all the same. */
export async function openGround(
  world: PlantedWorld,
  mode: Mode,
  usualFor: JudgingGround["usualFor"],
): Promise<Ground> {
  const runtime = await openRuntimeAt(testPolicyPlaces(nowhere), {
    store: "memory:",
    workspace: world.work,
    sandbox: "off",
    permissions: { mode },
    // A command names files by it, so it must be the one that the command will see.
    shell: { environment: { HOME: world.home } },
  });
  const session = await runtime.openSession({});
  const verdictOn = (command: string) => session.explain("Bash", { command });
  const mayWrite = createWriteTest(session);
  const isWritable = mode === "edit";
  const surroundings = await surroundingsOf(world, { mayWrite: isWritable });
  const implementations = await findImplementations();
  return {
    world,
    verdicts: (commands) => judgeInBulk(commands, verdictOn),
    implementations,
    run: (commands, implementation = "installed") =>
      runTraced(commands, { ...surroundings, isWritable, programs: implementations.get(implementation)! }),
    surprises: (judged, run) => findSurprises(judged, run, { ...world, usualFor, isWritable, mayWrite }),
    close: () => runtime.close(),
  };
}

/** What commands are given where there is no sandbox, if they only read or if they may write. */
export async function surroundingsOf(
  { base, work, home }: PlantedWorld,
  { mayWrite = false } = {},
): Promise<TracedSurroundings> {
  const given = childEnvironment({
    inherited: { HOME: home },
    declared: { DECLARED: canaries["the environment"] },
    secrets: [],
  });
  const { environment } = await createNoSandbox("").wrap(
    { file: "/bin/bash", args: [], environment: given },
    { profile: mayWrite ? "workspace-write" : "read-only", directory: work, isKnown: true },
  );
  return { base, work, environment };
}

/** A verdict must not depend on whose programs there are, so commands run by those of several, where they are installed. */
async function findImplementations(): Promise<Map<string, ReadonlyMap<string, string>>> {
  const found = new Map<string, ReadonlyMap<string, string>>([["installed", new Map()]]);
  const awk = await realpath("/usr/bin/awk").catch(() => "");
  for (const name of ["gawk", "mawk"]) {
    const path = `/usr/bin/${name}`;
    if (path !== awk && (await isThere(path))) found.set(name, new Map([["awk", path]]));
  }
  const busybox = "/usr/bin/busybox";
  if (await isThere(busybox)) {
    const { stdout } = await promisify(execFile)(busybox, ["--list"]);
    found.set(
      "busybox",
      new Map(
        stdout
          .split("\n")
          .filter(isReplaced)
          .map((name) => [name, busybox]),
      ),
    );
  }
  return found;
}

/**
 * The runner needs a tool of its own, and the shell is always bash. Whose grep there is, a verdict finds out, since only
 * busybox's goes through links by itself.
 */
function isReplaced(name: string): boolean {
  return isKnownProgram(name) && !/^(?:timeout|bash|busybox|[ef]?grep)$/.test(name);
}

function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether a file tool would be let write there. */
function createWriteTest(session: Session): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (path) => {
    const told =
      known.get(path) ??
      session.explain("Write", { file_path: path, content: "" }).then(({ decision }) => decision === "allow");
    known.set(path, told);
    return told;
  };
}
