import type { Owner, PathState } from "../../../kernel/events/index.ts";
import type { FileSystemView, PathKind } from "../../../machine/paths/index.ts";
import type { ByteSource } from "../../../shared/files/byte-source.ts";

export interface ReadableTree extends FileSystemView {
  look(path: string): Promise<PathLook>;
  /** `shownPath` is the path in error messages. The caller closes the file. */
  openFile(path: string, shownPath?: string): Promise<OpenFile>;
  /** Sorted by name, at most `maxEntries`. */
  entries(folder: string, maxEntries: number): Promise<TreeEntry[]>;
  state(path: string): Promise<PathState>;
  /** Saves the content for undo, and returns the state. */
  preserve(path: string): Promise<PathState>;
  /** Saves content that was already read. */
  keep(content: { bytes: Buffer; hash: string }): Promise<void>;
}

/**
 * A file tree to read and change: the disk itself, or the disk with planned changes on top.
 * Paths are canonical, links are not followed, and every operation is atomic.
 */
export interface Tree extends ReadableTree {
  putFile(path: string, content: FileContent, options?: PutFileOptions): Promise<PutFile>;
  putFolder(path: string, options?: Pick<PutFileOptions, "mode" | "owner" | "durable">): Promise<PathState>;
  putLink(path: string, target: string, options?: Pick<PutFileOptions, "owner">): Promise<PathState>;
  setMode(path: string, mode: number): Promise<void>;
  /**
   * Removes a file, a link or an empty folder. With `expected`, only if the path still has that stamp. `before` is what it
   * was, saved, so that it can be restored.
   */
  remove(path: string, expected?: string, before?: PathState): Promise<void>;
  /**
   * Replaces a file or link at the new path, which was `before`. Fails with EXDEV across disks. With `expected`, only if
   * both paths still have those stamps, empty for nothing.
   */
  rename(
    from: string,
    to: string,
    expected?: { from?: string; to?: string; before?: PathState },
  ): Promise<void>;
}

export type FileState = Extract<PathState, { kind: "file" }>;

export interface PathLook {
  readonly kind: PathKind;
  readonly mode: number;
  readonly sizeBytes: number;
  /** Changes whenever the content does; empty if nothing is there. */
  readonly stamp: string;
  readonly owner?: Owner;
}

export interface OpenFile {
  readonly source: ByteSource;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly stamp: string;
  close(): Promise<void>;
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: Exclude<PathKind, "missing">;
  readonly sizeBytes: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
  readonly linkTarget?: string;
}

export type FileContent =
  | { readonly bytes: Buffer }
  /** Concatenated. */
  | { readonly parts: readonly Buffer[] }
  /** Written as they come, so that they need not fit into memory. */
  | { readonly pieces: AsyncIterable<Uint8Array> }
  /** Another file of the tree. */
  | { readonly copyOf: string }
  /** Hash of a blob in the blob store. */
  | { readonly blob: string };

export interface PutFileOptions {
  /** Default: the mode of the replaced file, or the usual one for a new file. */
  readonly mode?: number;
  /** New owner, if the process may set it. Default: the owner of the replaced file, or of the process. */
  readonly owner?: Owner | undefined;
  /** Stamp of what may be replaced, empty for nothing; if the path has another stamp, the write fails. */
  readonly expected?: string;
  /** The saved state of the replaced entry, from which it can be restored. Default: nothing is replaced. */
  readonly before?: PathState | undefined;
  /** Whether the file has to survive a power cut. */
  readonly durable?: boolean;
  /** Runs while waiting for the disk. If it fails, nothing is replaced. */
  readonly meanwhile?: () => Promise<unknown>;
}

export interface PutFile {
  readonly state: FileState;
  readonly stamp: string;
}
