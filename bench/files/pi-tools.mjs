import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { importPeer } from "../support/import-peer.mjs";

/** The tools of the pi coding agent, with the same ripgrep, and with separate folders instead of the user's. */
export async function openPiTools(folder, { leaveOut }) {
  const agentFolder = await mkdtemp(join(folder, "pi-"));
  await mkdir(join(agentFolder, "bin"));
  await symlink(rgPath, join(agentFolder, "bin", "rg"));
  // It has no parameter for searching every file, as the others here do; ripgrep's configuration does it instead.
  const configuration = join(agentFolder, "ripgreprc");
  await writeFile(configuration, "--no-ignore\n");
  // Set before the import, because the module reads it when it is loaded.
  Object.assign(process.env, {
    PI_CODING_AGENT_DIR: agentFolder,
    PI_OFFLINE: "1",
    RIPGREP_CONFIG_PATH: configuration,
  });
  const pi = await importPeer("@earendil-works/pi-coding-agent", leaveOut);
  return (
    pi && {
      grep: toCall(pi.createGrepTool, folder),
      read: toCall(pi.createReadTool, folder),
      edit: toCall(pi.createEditTool, folder),
    }
  );
}

function toCall(create, folder) {
  const tool = create(folder);
  return async (input) => {
    const { content } = await tool.execute("call", input);
    return content[0].text;
  };
}
