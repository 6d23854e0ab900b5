import type { FileHandle } from "node:fs/promises";
import type { Owner, PathState } from "../../../events/file-change.ts";
import type { FileSystemView, PathKind } from "../../../policy/paths/walk-path.ts";
import type { ByteSource } from "./byte-source.ts";

/**
 * The ground that reading and changing stand on: the disk itself, or the disk with planned changes laid over it.
 * Paths are canonical, a link is a link, and every step either happens whole or not at all.
 */
export interface Tree extends FileSystemView {
  look(path: string): Promise<PathLook>;
  /** `shownPath` as the caller wrote it, for the error. The caller closes it. */
  openFile(path: string, shownPath?: string): Promise<OpenFile>;
  /** By name; at most so many. */
  entries(folder: string, maxEntries: number): Promise<TreeEntry[]>;
  state(path: string): Promise<PathState>;
  /** The state, after its content was put where it can be brought back from. */
  preserve(path: string): Promise<PathState>;
  /** The same for content that was read already. */
  keep(content: { bytes: Buffer; hash: string }): Promise<void>;
  putFile(path: string, content: FileContent, options?: PutFileOptions): Promise<PutFile>;
  putFolder(path: string, options?: Pick<PutFileOptions, "mode" | "owner" | "durable">): Promise<PathState>;
  putLink(path: string, target: string, options?: Pick<PutFileOptions, "owner">): Promise<PathState>;
  setMode(path: string, mode: number): Promise<void>;
  /** A file, a link or an empty folder; given a stamp, nothing that has another one. */
  remove(path: string, expected?: string): Promise<void>;
  /** Replaces a file or link that is at the new path. Between disks it fails with EXDEV. */
  rename(from: string, to: string): Promise<void>;
}

export type FileState = Extract<PathState, { kind: "file" }>;

export interface PathLook {
  readonly kind: PathKind;
  readonly mode: number;
  readonly sizeBytes: number;
  /** Changes whenever the content does; empty where there is nothing. */
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
  /** Bytes one after the other. */
  | { readonly parts: readonly Buffer[] }
  /** Another file of the tree. */
  | { readonly copyOf: string }
  /** The hash of a kept blob. */
  | { readonly blob: string };

export interface PutFileOptions {
  /** That of the file which is replaced, or a new file's, unless told. */
  readonly mode?: number;
  /** Given to them where that is possible; otherwise it is whoever runs this, or owns what is replaced. */
  readonly owner?: Owner | undefined;
  /** The stamp of what is to be replaced, empty for nothing: anything else that turns up there is left alone. */
  readonly expected?: string;
  /** Whether it has to survive a power cut. */
  readonly durable?: boolean;
  /** Done while the disk is waited for, and before anything is replaced; nothing is if it fails. */
  readonly meanwhile?: () => Promise<unknown>;
}

export interface PutFile {
  readonly state: FileState;
  readonly stamp: string;
}

/** An open file as a tree gives it. */
export function openFileOf(handle: FileHandle, about: Omit<OpenFile, "source" | "close">): OpenFile {
  return { ...about, source: handle, close: () => handle.close() };
}
