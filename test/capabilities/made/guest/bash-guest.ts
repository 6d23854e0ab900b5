import type { GuestParts } from "../../../../src/capabilities/made/guest/guest-process.ts";
import { type MadeLimits, usualLimits } from "../../../../src/capabilities/made/guest/guest-process.ts";
import type { MadeTool } from "../../../../src/capabilities/made/made-tool.ts";

/**
 * In place of Node in a sandbox, a shell that says to us on descriptor 3 what it is told to: whatever runs there, we have
 * to take it for the tool. It starts in a fiftieth of the time. The script runs once the module has arrived, which is what it is asked first.
 */
export function bashGuest(script: string, limits: Partial<MadeLimits> = {}): GuestParts {
  const code = `read -r _ <&3; echo '{"answer":1}' >&3\n${script}`;
  const wrap = async () => ({
    file: "/bin/bash",
    args: ["-c", code],
    environment: { PATH: "/usr/bin:/bin" },
    descriptors: [],
    release: async () => {},
  });
  return { sandbox: { kind: "bubblewrap", wrap }, limits: { ...usualLimits, ...limits } };
}

export const someTool: MadeTool = {
  name: "some_tool",
  description: "x",
  input: { type: "object" },
  language: "javascript",
  code: "",
  permissions: ["files.readText"],
  examples: [],
};
