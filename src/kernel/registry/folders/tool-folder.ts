import { foreign, knownKeys, value } from "../../../shared/options/known-keys.ts";

/** A folder of tools, and what its files expect of their host. */
export interface ToolFolder {
  readonly path: string;
  /** Added to the context of its handlers, such as `{ service, model }`. It cannot replace existing properties. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Its tools also take arguments that their schemas do not declare. */
  readonly acceptsUndeclared?: boolean;
  /** A changed file is loaded again. Default: true. */
  readonly watch?: boolean;
  /** What receipts name as the version of its tools. */
  readonly toolVersion?: string;
}

export const toolFolderKeys = knownKeys<ToolFolder>({
  path: value,
  context: foreign,
  acceptsUndeclared: value,
  watch: value,
  toolVersion: value,
});

export function asToolFolder(given: string | ToolFolder): ToolFolder {
  return typeof given === "string" ? { path: given } : given;
}
