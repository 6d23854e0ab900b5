import { createNameTest } from "../../shared/glob/name-test.ts";
import type { SandboxBounds, SandboxProfile } from "./sandbox.ts";

/** What a command left behind that may tell why it failed. */
export interface FailedCommand {
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Says so where it was probably the sandbox that stopped a command; other causes look the same, so it never claims to know. */
export function recognizeDenial(
  { exitCode, stderr }: FailedCommand,
  box: SandboxBounds,
  sensitiveNames: readonly string[] = [],
): string | undefined {
  if (exitCode === 0) return undefined;
  const lines = stderr.slice(-maxLookedAt).split("\n");
  const says = (pattern: RegExp) => lines.some((line) => pattern.test(line));
  if (box.profile !== "network" && says(networkFailure)) {
    return `The sandbox probably stopped it: in profile ${box.profile} there is no network.`;
  }
  if (says(readOnlyFailure)) return explainReadOnly(box);
  if (box.profile === "read-only" && lines.some((line) => isMasked(line, sensitiveNames))) {
    return "The sandbox probably stopped it: in profile read-only, files that may hold secrets cannot be read.";
  }
  if (box.profile !== "read-only" && says(protectedInTheWay)) {
    return "The sandbox probably stopped it: files that run later, such as .git/hooks or .vscode, cannot be made, moved or removed.";
  }
  if (exitCode === badSystemCall || says(/\boperation not permitted\b|\bEPERM\b/i)) {
    return `The sandbox may have stopped it: profile ${box.profile} refuses some requests to the system.`;
  }
  return undefined;
}

/** The narrowest profile in which what stopped a command would not have, where there is one. */
export function widerProfile(
  failed: FailedCommand,
  { profile }: Pick<SandboxBounds, "profile">,
): SandboxProfile | undefined {
  if (failed.exitCode === 0) return undefined;
  const stderr = failed.stderr.slice(-maxLookedAt);
  if (profile !== "network" && networkFailure.test(stderr)) return "network";
  return profile === "read-only" && readOnlyFailure.test(stderr) ? "workspace-write" : undefined;
}

const maxLookedAt = 16_384;

const readOnlyFailure = /read-only file system|\bEROFS\b/i;

const networkFailure = new RegExp(
  [
    "network is unreachable",
    "could not resolve (host|proxy)",
    "temporary failure (in name resolution|resolving)",
    "name or service not known",
    "nodename nor servname",
    "address family not supported",
    "no address associated with hostname",
    "\\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND|EAFNOSUPPORT)\\b",
  ].join("|"),
  "i",
);

function explainReadOnly({ profile }: SandboxBounds): string {
  if (profile === "read-only") {
    return "The sandbox probably stopped it: in profile read-only nothing can be written but /tmp and the home folder, which are empty and private.";
  }
  return "The sandbox probably stopped it: only the workspace can be written, and in it nothing that runs later, such as .git/hooks, .git/config or .vscode.";
}

function isMasked(line: string, sensitiveNames: readonly string[]): boolean {
  if (!/permission denied|\bEACCES\b/i.test(line)) return false;
  const isSensitive = createNameTest(sensitiveNames);
  return line.split(/[\s/'"`:]+/).some(isSensitive);
}

// What stands in the way of a protected name is a folder, and a mount.
const protectedInTheWay =
  /(\.git|\.husky|\.mcp\.json|\.vscode|\.idea|\.envrc|\.toolwright)(\/(hooks|config|config\.worktree|commondir))?['"’]?:? ?.*(is a directory|file exists|device or resource busy|\bEISDIR\b|\bEEXIST\b|\bEBUSY\b)/i;

// 128 + SIGSYS
const badSystemCall = 159;
