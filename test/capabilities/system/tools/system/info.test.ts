import { chmod, mkdir, writeFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SystemInfo } from "../../../../../src/tool/services/system.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("the machine is described without its users, its name, or a program from the workspace", async () => {
  const { session, workspace, runtime } = await openTestSession({ permissions: { mode: "readonly" } });
  const folder = join(workspace, "bin");
  await mkdir(folder);
  await writeFile(join(folder, "git"), `#!/bin/sh\ntouch ${workspace}/ran\necho git version 99.9.9\n`);
  await chmod(join(folder, "git"), 0o755);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  const { status, data, text } = await session.call("system_info");
  const info = data as SystemInfo;
  expect(status).toBe("done");
  expect(info).toMatchObject({
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
    workspace,
    sandbox: { kind: (await runtime.sandbox()).kind },
  });
  expect(info.programs.git).not.toBe("99.9.9");
  expect((await session.call("file_list", { path: "." })).text).not.toContain("ran");
  const said = `${text} ${JSON.stringify({ ...info, workspace: "" })}`.replaceAll(workspace, "");
  for (const name of [hostname(), userInfo().username])
    expect(said).not.toMatch(new RegExp(`\\b${name.replace(/\W/g, "\\$&")}\\b`));
});
