import { type FileHandle, open } from "node:fs/promises";
import { openUnlinkedFile } from "./unlinked-file.ts";

/** Files to be handed to a child by number. */
export interface Descriptors {
  /** Both give the number by which the child knows it. */
  add(content: Uint8Array): Promise<number>;
  open(path: string): Promise<number | undefined>;
  numbers(): readonly number[];
  close(): Promise<void>;
}

/** The child's first number for them: 0 to 2 are its streams, and 3 belongs to whoever starts it. */
const firstNumber = 4;

export function createDescriptors(): Descriptors {
  const handles: FileHandle[] = [];
  return {
    add: async (content) => keep(await openUnlinkedFile(content)),
    open: async (path) => {
      try {
        return keep(await open(path, "r"));
      } catch {
        return undefined;
      }
    },
    numbers: () => handles.map(({ fd }) => fd),
    close: async () => {
      await Promise.all(handles.splice(0).map((handle) => handle.close()));
    },
  };

  function keep(handle: FileHandle): number {
    handles.push(handle);
    return firstNumber + handles.length - 1;
  }
}
