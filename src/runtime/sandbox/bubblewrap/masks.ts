import { lstat, realpath } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { findCodePlaces } from "../protected/code-places.ts";
import type { Placeholders } from "../protected/placeholders.ts";
import { findProtectedPlaces } from "../protected/protected-places.ts";
import type { FoundNames } from "../protected/scan-names.ts";
import type { SandboxBounds } from "../sandbox.ts";
import type { Mount } from "./mounts.ts";

/** Paths inside the roots that commands may not write or see. */
export interface MaskedPaths {
  readonly roots: readonly string[];
  readonly home: string;
  readonly protectedNames: readonly string[];
  /** Absolute; loaded as code by this process. */
  readonly codePaths: readonly string[];
  /** Invisible to every command. */
  readonly hidden: readonly string[];
  readonly placeholders: Placeholders;
  findNames(root: string): Promise<FoundNames>;
}

/** Makes protected paths read-only for a command that may write. Returns the placeholders it holds, to be released. */
export async function protectRoots(
  guards: MaskedPaths,
  { writable = [], absent: forbidden = [] }: SandboxBounds,
): Promise<{ args: string[]; held: readonly string[] }> {
  const { roots, home, protectedNames, codePaths } = guards;
  const isLifted = (path: string) => writable.some((one) => lifts(one, path, roots));
  const named = roots.map((root) => findProtectedPlaces(root, { protectedNames, isHome: root === home }));
  const places = [...(await Promise.all(named)), ...(await findCodePlaces(codePaths, roots))];
  const link = places.flatMap(({ links }) => links).find((path) => !isLifted(path));
  if (link !== undefined) throw cannotProtect(link);
  const nested = await Promise.all(roots.map((root) => guards.findNames(root)));
  const readOnly = [
    ...places.flatMap((place) => place.readOnly),
    ...nested.flatMap(({ protectedPaths }) => protectedPaths),
  ];
  const held = await guards.placeholders.hold([
    ...places.flatMap(({ absent }) => absent).filter(({ path }) => !isLifted(path)),
    ...forbidden.map((path) => ({ path })),
  ]);
  return {
    args: [
      ...places.flatMap(({ pinned }) => pinned).flatMap((path) => ["--bind", path, path]),
      ...[...new Set(readOnly)]
        .filter((path) => !isLifted(path))
        .flatMap((path) => ["--ro-bind-try", path, path]),
      ...held.flatMap((path) => ["--ro-bind", path, path]),
    ],
    held,
  };
}

/**
 * Whether permission to write one path covers a protected path: the same path, one inside it, or a folder above it that
 * is not a root.
 */
function lifts(writable: string, path: string, roots: readonly string[]): boolean {
  if (relativeInside(path, writable) !== undefined) return true;
  const isWholeRoot = roots.some((root) => relativeInside(writable, root) !== undefined);
  return !isWholeRoot && relativeInside(writable, path) !== undefined;
}

function cannotProtect(link: string): ToolError {
  return new ToolError(
    "unavailable",
    `the sandbox cannot protect ${quoteControls(link)}: it is a link, which a command could replace`,
    { hint: "Replace the link with what it points to, or use a workspace without it." },
  );
}

/** Hides sensitive files from a command that only reads. */
export async function maskSensitive(
  { roots: own, findNames }: MaskedPaths,
  { readable = [], repository }: SandboxBounds,
): Promise<string[]> {
  const roots = repository === undefined ? own : [...own, repository];
  const found = await Promise.all(roots.map((root) => findNames(root)));
  const paths = found.flatMap(({ sensitivePaths }) => sensitivePaths);
  return maskAll(
    paths.filter(
      (path) =>
        !readable.some(
          (one) => relativeInside(one, path) !== undefined || relativeInside(path, one) !== undefined,
        ),
    ),
    roots,
  );
}

/**
 * Write-protects and hides what rules keep from commands. Hiding comes last: a folder that is mounted inside a hidden one
 * would show it again.
 */
export async function obeyRules(
  { hidden = [], readOnly = [] }: SandboxBounds,
  mounts: readonly Mount[],
): Promise<string[]> {
  const protect = readOnly.flatMap((path) => ["--ro-bind-try", path, path]);
  return [...protect, ...(await maskAll(hidden, shownBy(mounts)))];
}

function shownBy(mounts: readonly Mount[]): readonly string[] {
  return mounts.filter(({ option }) => option.includes("bind")).map(({ path }) => path);
}

/** Hides our own records from every command, wherever they would be visible. */
export function hide({ hidden, roots }: MaskedPaths, mounts: readonly Mount[]): Promise<string[]> {
  const holdsRoot = (path: string) => roots.some((root) => relativeInside(path, root) !== undefined);
  return maskAll(
    hidden.filter((path) => !holdsRoot(path)),
    shownBy(mounts),
  );
}

/** Masks the paths whose real location is inside one of the folders. */
export async function maskAll(paths: readonly string[], folders: readonly string[]): Promise<string[]> {
  const masks = await Promise.all([...new Set(paths)].map((path) => mask(path, folders)));
  return masks.flat();
}

async function mask(path: string, folders: readonly string[]): Promise<string[]> {
  try {
    const place = await realpath(path);
    if (!folders.some((folder) => relativeInside(folder, place) !== undefined)) return [];
    const isFolder = (await lstat(place)).isDirectory();
    // Opening a device on a nodev mount fails, even for root.
    return isFolder ? ["--perms", "0000", "--tmpfs", place] : ["--ro-bind", "/dev/null", place];
  } catch {
    return [];
  }
}
