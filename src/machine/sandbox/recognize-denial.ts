import { createNameTest } from "../../shared/glob/name-test.ts";
import type { SandboxBounds, SandboxProfile } from "./sandbox.ts";

/** The outcome of a failed command, which may show why it failed. */
export interface FailedCommand {
  readonly exitCode: number | null;
  readonly stderr: string;
}

/**
 * Explains a failure that the sandbox probably caused. Other causes look the same, so the text never claims certainty.
 */
export function recognizeDenial(
  { exitCode, stderr }: FailedCommand,
  box: SandboxBounds,
  sensitiveNames: readonly string[] = [],
): string | undefined {
  if (exitCode === 0) return undefined;
  const lines = stderr.slice(-maxLookedAt).split("\n");
  const says = (pattern: RegExp) => lines.some((line) => pattern.test(line));
  if (box.profile !== "network" && says(networkFailure)) {
    return `The sandbox probably stopped it: profile ${box.profile} has no network access.`;
  }
  if (says(readOnlyFailure)) return explainReadOnly(box);
  if (box.profile === "read-only" && lines.some((line) => isMasked(line, sensitiveNames))) {
    return "The sandbox probably stopped it: profile read-only does not allow reading files that may hold secrets.";
  }
  if (box.profile !== "read-only" && lines.some(isProtectedInTheWay)) {
    return "The sandbox probably stopped it: files that may run as code later, such as .git/hooks or .vscode, cannot be created, moved or removed.";
  }
  if (exitCode === badSystemCall || says(/\boperation not permitted\b|\bEPERM\b/i)) {
    return `The sandbox may have stopped it: profile ${box.profile} blocks some system calls.`;
  }
  return undefined;
}

/** The narrowest profile that would not have stopped the command; undefined if there is none. */
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
    return "The sandbox probably stopped it: profile read-only allows writing only to /tmp and the home folder, which start empty and are discarded.";
  }
  return "The sandbox probably stopped it: only the workspace is writable, except for files that may run as code later, such as .git/hooks, .git/config or .vscode.";
}

function isMasked(line: string, sensitiveNames: readonly string[]): boolean {
  if (!/permission denied|\bEACCES\b/i.test(line)) return false;
  const isSensitive = createNameTest(sensitiveNames);
  return line.split(/[\s/'"`:]+/).some(isSensitive);
}

/** Protected names are covered by a folder that is a mount point, which causes these errors. */
function isProtectedInTheWay(line: string): boolean {
  // The first name is enough. Both in one expression would begin again at every name in the line.
  const name = protectedName.exec(line);
  return name !== null && standsInTheWay.test(line.slice(name.index + name[0].length));
}

const protectedName =
  /\.git|\.husky|\.mcp\.json|\.vscode|\.idea|\.zed|\.envrc|\.devcontainer|\.claude|\.codex|\.cursor|\.gemini|\.windsurf|\.npmrc|\.yarnrc|\.cargo|\.toolwright|\.skills|toolwright\.json/i;
const standsInTheWay = /is a directory|file exists|device or resource busy|\bEISDIR\b|\bEEXIST\b|\bEBUSY\b/i;

// 128 + SIGSYS
const badSystemCall = 159;
