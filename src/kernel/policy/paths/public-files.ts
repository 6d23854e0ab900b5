/** Files that may be read although their names are sensitive, because everybody who has the repository has them. */
export interface PublicFiles {
  /** Absolute paths. */
  list(): Promise<ReadonlySet<string>>;
  /** The same files in a copy of the workspace. */
  in(root: string): PublicFiles;
}

export const noPublicFiles: PublicFiles = { list: async () => new Set(), in: () => noPublicFiles };
