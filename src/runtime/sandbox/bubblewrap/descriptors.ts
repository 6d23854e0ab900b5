import { type FileHandle, open } from "node:fs/promises";
import { openUnlinkedFile } from "./unlinked-file.ts";

/** Files to be handed to a child by number. */
export interface Descriptors {
  /** Gives the number by which the child knows it, as `open` does. */
  add(content: Uint8Array): Promise<number>;
  /** None where there is no such file, or not for us. */
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
      } catch (error) {
        const isMissing = ["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
        if (isMissing) return undefined;
        throw error;
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
