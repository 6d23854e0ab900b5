import { aCount, aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { SystemInfo } from "../../../../tool/services/system.ts";

export default declareTool({
  name: "system_info",
  description:
    "Describe the machine: platform, processors, memory, Node, shell, sandbox, workspace, and the versions of programs such as git. Says nothing about its users or its name.",
  params: {},
  prompt:
    "Use it before commands that depend on the platform or on a program's version; one call a session is enough.",
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, needs: ["read"] },
  output: objectOf(
    {
      platform: aText,
      release: aText,
      arch: aText,
      cpus: aCount,
      memory: objectOf({ totalBytes: aCount, freeBytes: aCount }),
      node: aText,
      sandbox: objectOf({ kind: aText }, { reason: aText }),
      workspace: aText,
      programs: { type: "object", additionalProperties: aText },
    },
    { shell: aText },
  ),
  searchHint: "platform os cpu memory version environment machine",
  permission: () => ({ action: "read" }),
  run: (_input, { system }) => system.info(),
  toText: describeInfo,
});

function describeInfo(info: SystemInfo): string {
  const { platform, release, arch, cpus, memory, node, shell, sandbox, workspace, programs } = info;
  const versions = Object.entries(programs).map(([name, version]) => `${name} ${version}`);
  const why = sandbox.reason === undefined ? "" : ` (${sandbox.reason})`;
  return [
    `Platform: ${platform} ${release}, ${arch}`,
    `Processors: ${cpus}`,
    `Memory: ${inMegabytes(memory.totalBytes)} MB, ${inMegabytes(memory.freeBytes)} MB free`,
    `Node: ${node}`,
    `Shell: ${shell ?? "none"}`,
    `Sandbox: ${sandbox.kind}${why}`,
    `Workspace: ${workspace}`,
    `Programs: ${versions.length === 0 ? "none of those looked for" : versions.join(", ")}`,
  ].join("\n");
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
