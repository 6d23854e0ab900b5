import { close, open, read, write } from "node:fs";
import { promisify } from "node:util";

// Plain numbers to pass to children; a FileHandle would be closed by garbage collection.
export const openDescriptor = promisify(open);
export const closeDescriptor = promisify(close);
export const writeDescriptor = promisify(write);
export const readDescriptorAt = promisify(read);
