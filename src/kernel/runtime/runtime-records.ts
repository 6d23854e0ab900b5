import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { readUndoRecord } from "../store/blobs/undo-record.ts";
import { receiptQueryKeys } from "../store/store.ts";
import { verifyChain } from "../store/verify-chain.ts";
import type { AssembledRuntime } from "./assemble/assemble-runtime.ts";
import { declaredKept } from "./open-capabilities.ts";
import type { RemoteParts } from "./remote/open-remote-session.ts";
import type { RuntimeRecords } from "./runtime.ts";
import { watchSessions } from "./watch-sessions.ts";

/** The records in the store of a runtime, of every session and process. */
export function recordsOf(
  { places: { store, outputs, blobs }, redactor, capabilities }: AssembledRuntime,
  { ending }: RemoteParts,
): RuntimeRecords {
  return {
    watch: ({ signal, ...others } = {}) =>
      watchSessions(store, { ...others, signal: signal ? AbortSignal.any([signal, ending]) : ending }),
    sessions: () => store.listSessions(),
    async receipts(query = {}) {
      refuseUnknownKeys(query, receiptQueryKeys, "receipts");
      return store.readReceipts(query);
    },
    async readOutput({ storedPath }) {
      const text = storedPath === undefined ? undefined : await outputs.read(storedPath);
      return text === undefined ? undefined : redactor.text(text);
    },
    async readDiff({ undo }) {
      const record = undo === undefined ? undefined : await readUndoRecord(blobs, undo);
      return record?.diff && redactor.text(record.diff);
    },
    async verify(sessionId) {
      const ids = sessionId === undefined ? await store.rawLogs.list() : [sessionId];
      return Promise.all(ids.map((id) => verifyChain(store, id, declaredKept(capabilities))));
    },
  };
}
