import { join } from "node:path";
import { checkEcho, echoInput } from "./echo.mjs";
import { openEchoSession } from "./open-echo-session.mjs";

/** The whole path of a call, receipts included, with both stores. */
export async function openToolwright({ workspace, stateFolder }) {
  const file = (name) => `sqlite:${join(stateFolder, name)}`;
  return Promise.all([
    openCandidate("Toolwright, memory store", { workspace, store: "memory:", governed: false }),
    openCandidate("Toolwright, memory store, all stages", { workspace, store: "memory:", governed: true }),
    openCandidate("Toolwright, memory store, all stages, Zod", {
      workspace,
      store: "memory:",
      governed: true,
      schema: "zod",
    }),
    openCandidate("Toolwright, SQLite store", { workspace, store: file("plain.sqlite"), governed: false }),
    openCandidate("Toolwright, SQLite store, all stages", {
      workspace,
      store: file("governed.sqlite"),
      governed: true,
    }),
  ]);
}

async function openCandidate(name, options) {
  const { session, close } = await openEchoSession(options);
  return { name, close, call: async () => checkEcho((await session.call("echo", echoInput)).text) };
}
