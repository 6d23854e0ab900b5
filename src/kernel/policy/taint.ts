import { createNameTest } from "../../shared/glob/name-test.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { PermissionClass } from "../../tool/permission-request.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { Verdict } from "./verdict.ts";

/** Where content came from that may be written to steer the model. */
export interface TaintSource {
  /** A web page, a server's result, what a command downloaded, or a file beyond the workspace. */
  readonly kind: "web" | "mcp" | "command" | "outside";
  /** A host, a server's name or a path. */
  readonly name: string;
}

/** What a decision needs to know of the untrusted content in a session. */
export interface Taint {
  readonly sources: readonly TaintSource[];
  /** Whether a command can be run without the network. */
  readonly isConfined: boolean;
  /** Whether the tool says that it reaches beyond this machine, in ways that the runtime cannot see. */
  readonly isOpenWorld: boolean;
}

interface TaintedRequest {
  readonly action: PermissionClass;
  readonly path?: { readonly real: { readonly absolute: string } };
  readonly command?: object;
}

type Ruling = Pick<Verdict, "decision" | "reason" | "decidedBy">;

/**
 * Once untrusted content is in a session, the mode alone no longer allows what could send data out or change what runs
 * later: a person decides, or an explicit rule. A command of unknown effect runs without the network instead, where a
 * sandbox can do that.
 */
export function applyTaint(ruling: Ruling, request: TaintedRequest, taint: Taint): Ruling {
  if (ruling.decision === "deny") return ruling;
  const danger = dangerOf(request, taint);
  if (danger === undefined) return ruling;
  const why = describeTaint(taint.sources);
  if (ruling.decision === "ask") return { ...ruling, reason: `${ruling.reason}; ${why}` };
  if (request.command !== undefined && request.action === "execute" && taint.isConfined)
    return { ...ruling, reason: `${ruling.reason}, without the network, because ${why}` };
  return { decision: "ask", reason: `${why}, and this ${danger}`, decidedBy: "taint" };
}

/** `this session has read content from example.com and 2 other sources` */
function describeTaint(sources: readonly TaintSource[]): string {
  const [first, ...others] = sources;
  const more =
    others.length === 0 ? "" : ` and ${others.length} other source${others.length === 1 ? "" : "s"}`;
  return `this session has read content from ${escapeLine(first?.name ?? "an unknown source")}${more}`;
}

function dangerOf({ action, path, command }: TaintedRequest, { isOpenWorld }: Taint): string | undefined {
  if (action === "network") return "could send data out";
  // Any other tool asks about each thing it does.
  if (action === "execute") return command !== undefined || isOpenWorld ? "could send data out" : undefined;
  if (action !== "write" || path === undefined) return undefined;
  const { absolute } = path.real;
  return absolute.split("/").some(runsLater) ? "changes what runs later" : undefined;
}

/**
 * Files that builds, tests, package managers and pipelines run without being told to. Those that the floor protects need
 * approval anyway.
 */
const runsLater = createNameTest([
  ...["makefile", "gnumakefile", "justfile", "rakefile", "gemfile", "taskfile.y*ml"],
  ...["dockerfile*", "*.dockerfile", "docker-compose*.y*ml", "compose*.y*ml", ".devcontainer"],
  ...["cmakelists.txt", "build.rs", ".cargo", "build.gradle*", "settings.gradle*", "pom.xml"],
  ...["setup.py", "setup.cfg", "pyproject.toml", "conftest.py", "sitecustomize.py", "usercustomize.py"],
  ...["noxfile.py", "tox.ini"],
  ...["package.json", ".babelrc*", ".eslintrc*", ".yarnrc*", ".pnpmfile.cjs"],
  ...["*.config.js", "*.config.cjs", "*.config.mjs", "*.config.ts", "*.config.mts", "*.config.cts"],
  ...[".github", ".gitlab-ci.yml", ".circleci", ".pre-commit-config.yaml"],
]);

/** Where the commands of a call got content from that a stranger may have written: the network, and files beyond the roots. */
export function untrustedSources(requests: readonly JudgedRequest[]): readonly TaintSource[] {
  return requests.flatMap(({ action, target, path, command }): TaintSource[] => {
    if (command === undefined) return [];
    if (action === "network") return [{ kind: "command", name: target ?? "the network" }];
    if (action !== "read" || path === undefined || path.isInside) return [];
    const { absolute } = path.real;
    // Only an administrator writes to the system's own folders, and an administrator needs no trick.
    const isSystems = systemFolders.test(absolute) && !sharedFolders.test(absolute);
    return isSystems ? [] : [{ kind: "outside", name: absolute }];
  });
}

const systemFolders =
  /^\/(?:bin|sbin|lib|lib32|lib64|usr|etc|opt|dev|proc|sys|run|nix|System|Library)(?:\/|$)/;
// Folders below these, to which every user of the machine may write.
const sharedFolders = /^\/(?:dev\/(?:shm|mqueue)|run\/(?:user|lock|shm))\//;
