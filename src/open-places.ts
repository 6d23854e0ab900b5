import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createTemplateCatalogue,
  type TemplateCatalogue,
} from "./agent/sub-agents/templates/template-catalogue.ts";
import { stateFolderOf } from "./config/state-folder.ts";
import { type BlobStore, openBlobStore } from "./runtime/services/files/undo/blob-store.ts";
import { openWorkspace, type Workspace } from "./runtime/services/files/workspace.ts";
import { createSkillCatalogue, type SkillCatalogue } from "./runtime/services/skills/skill-catalogue.ts";
import { openStore } from "./runtime/store/open-store.ts";
import { type OutputFolder, openOutputFolder } from "./runtime/store/output-folder.ts";
import type { Store } from "./runtime/store/store.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** Where a runtime works and where it keeps what it knows. */
export interface Places {
  readonly workspace: Workspace;
  readonly stateFolder: string;
  readonly outputs: OutputFolder;
  /** What files held before they were changed. */
  readonly blobs: BlobStore;
  readonly store: Store;
  readonly skills: SkillCatalogue;
  /** The kinds of agents that may be sent off. */
  readonly templates: TemplateCatalogue;
  close(): Promise<void>;
}

export async function openPlaces(options: RuntimeOptions): Promise<Places> {
  const roots =
    typeof options.workspace === "object" ? options.workspace : { root: options.workspace ?? "." };
  // Opened once to know where it really is, and again with the outputs that may be read besides.
  const { root } = await openWorkspace(roots);
  const isTemporary = options.store === "memory:";
  const stateFolder = isTemporary ? await mkdtemp(join(tmpdir(), "toolwright-")) : stateFolderOf(root);
  const removeTemporary = async () => {
    if (isTemporary) await rm(stateFolder, { recursive: true, force: true });
  };
  const durability = options.durability === undefined ? {} : { durability: options.durability };
  try {
    const [outputs, blobs] = await Promise.all([
      openOutputFolder(join(stateFolder, "outputs")),
      openBlobStore(join(stateFolder, "blobs"), durability),
    ]);
    const workspace = await openWorkspace({ ...roots, readableRoots: [outputs.path] });
    const store = await openStore(options.store, {
      defaultFile: join(stateFolder, "store.sqlite"),
      ...durability,
    });
    const close = async () => {
      await store.close();
      await removeTemporary();
    };
    const skills = createSkillCatalogue(workspace);
    const templates = createTemplateCatalogue(workspace, options.agents?.templates ?? {});
    return { workspace, stateFolder: dirname(outputs.path), outputs, blobs, store, skills, templates, close };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}

/** The same but for the workspace and what is found there. */
export async function moveTo(places: Places, root: string): Promise<Places> {
  const workspace = await openWorkspace({ root, readableRoots: [places.outputs.path] });
  return { ...places, workspace, skills: createSkillCatalogue(workspace) };
}
