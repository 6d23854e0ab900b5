import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { writeVersion } from "../../../src/capabilities/made/project-file.ts";
import { noCredentials, writeCredentials } from "../../../src/capabilities/mcp-client/sign-in/sign-in.ts";
import { openPageCache } from "../../../src/capabilities/web/page-cache.ts";
import { openClientTokens } from "../../../src/faces/mcp-server/http/client-tokens.ts";
import { trustProject } from "../../../src/kernel/policy/scopes/change-trust.ts";
import { keepOwnRules } from "../../../src/kernel/policy/scopes/policy-file.ts";
import { openStore } from "../../../src/kernel/store/open-store.ts";

/** Everything that writes a file aside, by the folder that it writes in. */
export function asideWriters(folder: string): Readonly<Record<string, () => Promise<unknown>>> {
  const at = (name: string) => join(folder, name);
  return {
    trust: () => trustProject(at("trust/trust.json"), { root: "/project", hash: "1" }),
    rules: () => keepOwnRules(at("rules/own.json"), [`file_read(${randomUUID()})`]),
    credentials: () => writeCredentials(at("credentials/hub.json"), noCredentials),
    tokens: async () => (await openClientTokens(at("tokens"))).ensure("laptop"),
    pages: () => openPageCache(at("pages")).keep("http://a.example/", page),
    "project/.toolwright/tools": () => writeVersion(at("project"), version),
    store: async () => {
      const store = await openStore(`sqlite:${at("store/own.sqlite")}`, { defaultFile: "" });
      await store.maintenance.removeDrafts!();
      await store.close();
    },
  };
}

const page = {
  url: "http://a.example/",
  contentType: "text/plain",
  validators: {},
  fetchedAtMs: 0,
  freshUntilMs: 0,
  isCut: false,
  body: new Uint8Array(),
};
const tool = { name: "add", description: "", code: "" } as Parameters<typeof writeVersion>[1]["tool"];
const version = { tool, hash: "", version: 1, madeBy: "", madeAt: "" };
