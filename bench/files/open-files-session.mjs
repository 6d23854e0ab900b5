import { openRuntime } from "../../dist/index.js";

/** A session that may read and write in the folder. `call` resolves to the result's data, and throws unless it is done. */
export async function openFilesSession(workspace) {
  const runtime = await openRuntime({ workspace, store: "memory:", permissions: { mode: "edit" } });
  const session = await runtime.openSession();
  return {
    async call(name, input) {
      const { status, data, error } = await session.call(name, input);
      if (status !== "done") throw new Error(`${name} ended ${status}: ${error?.message}`);
      return data;
    },
    close: () => runtime.close(),
  };
}
