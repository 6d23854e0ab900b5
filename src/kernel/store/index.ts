export { evictBlobs, removeOwn } from "./blobs/blob-quota.ts";
export { type BlobStore, type KeptBlob, noBlobs, openBlobStore } from "./blobs/blob-store.ts";
export { findNeededBlobs, logSuffix } from "./blobs/needed-blobs.ts";
export { type KeptBytes, keepUndoRecord, readUndoRecord, type UndoRecord } from "./blobs/undo-record.ts";
export { exportLog, importLog } from "./exported-log.ts";
export {
  findKeptOwners,
  isAnything,
  isText,
  type KeptKind,
  type KeptValues,
  keptIn,
  keptPlace,
  type SessionKept,
  taskScope,
} from "./kept/kept-kind.ts";
export { replay } from "./kept/replay.ts";
export {
  absoluteStore,
  fileOfStore,
  filesOfStore,
  intentFolderOf,
  isReadOnlyStore,
  openStore,
  openStoreCopy,
  storeFlags,
} from "./open-store.ts";
export { type OutputFolder, openOutputFolder } from "./output-folder.ts";
export { isAliveIn, ownLifeIn, type ProcessLife } from "./process-life.ts";
export { defaultRetention, type RetentionOptions, retentionOption } from "./retention.ts";
export { leaseWrite } from "./session-lease.ts";
export {
  ClaimLost,
  claim,
  describeSessionIdRule,
  type Entry,
  isSessionId,
  type OpenedRecord,
  OwnershipLost,
  type ReceiptQuery,
  receiptQueryKeys,
  type SessionOwner,
  type SessionParent,
  type SessionRecord,
  type Store,
  StoreBusy,
  StoreError,
  type StoreMaintenance,
  type VariableWrite,
} from "./store.ts";
export { type ChainReport, type DamagedVariable, findDamagedVariables, verifyChain } from "./verify-chain.ts";
