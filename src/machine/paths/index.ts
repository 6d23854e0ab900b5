export { fileError } from "./file-error.ts";
export { createFileStates, type FileStates, folderState } from "./file-states.ts";
export { locateByIdentity, type Opened, type OpenOptions, openContained, outside } from "./open-contained.ts";
export { type Place, type ResolveOptions, resolvePlace, toPlace } from "./place.ts";
export { disk, type FileSystemView, type PathKind } from "./walk-path.ts";
