import { onTestFinished } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import { ToolsService, type ToolsServiceOptions } from "../../../src/systems/internal/index.ts";
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

/** The service of the document, on a folder with these tool files. */
export async function openTools(
  files: Readonly<Record<string, string>>,
  { toolwright, ...options }: Partial<ToolsServiceOptions> = {},
): Promise<ToolsService> {
  const toolsDir = await temporaryFolder();
  await putFiles(toolsDir, files);
  const service = new ToolsService({
    toolsDir,
    ...options,
    toolwright: {
      store: "memory:",
      workspace: await temporaryFolder(),
      permissions: { mode: "auto" },
      ...toolwright,
    },
  });
  onTestFinished(() => service.close());
  return service;
}
