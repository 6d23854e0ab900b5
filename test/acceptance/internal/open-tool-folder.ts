import type { RuntimeOptions } from "../../../src/index.ts";
import { openFileSession, putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** The text of a tool file in CommonJS. */
export function toolFile(fields = "", answer = "done"): string {
  return `module.exports = {
    ${fields}
    description: "Answers.",
    inputSchema: { type: "object", properties: {} },
    handler: async () => ({ content: [{ type: "text", text: ${JSON.stringify(answer)} }] }),
  };`;
}

/** A session in the internal dialect with these tool files. */
export async function openToolFolder(files: Readonly<Record<string, string>>, options: RuntimeOptions = {}) {
  const folder = await temporaryFolder();
  await putFiles(folder, files);
  return openFileSession(
    {},
    { dialect: "internal", toolFolders: [folder], permissions: { mode: "auto" }, ...options },
  );
}
