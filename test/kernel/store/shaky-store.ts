import { type Store, StoreError } from "../../../src/kernel/store/store.ts";
import { openTemporaryStore } from "./temporary-store.ts";

/** A store, and one over it that takes nothing in before it is mended. */
export async function openShakyStore() {
  const { store } = await openTemporaryStore();
  let isDown = true;
  const shaky: Store = {
    ...store,
    append: (sessionId, entry) =>
      isDown ? Promise.reject(new StoreError("down")) : store.append(sessionId, entry),
  };
  const mend = () => {
    isDown = false;
  };
  return { store, shaky, mend };
}
