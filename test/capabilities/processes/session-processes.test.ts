import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startCommand } from "../../../src/capabilities/processes/command/start-command.ts";
import { openJobs } from "../../../src/capabilities/processes/jobs/open-jobs.ts";
import { createSessionProcesses } from "../../../src/capabilities/processes/session-processes.ts";
import { openSandbox } from "../../../src/machine/sandbox/open-sandbox.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { jobsAlone } from "./jobs-alone.ts";

const testInside = await needs("bubblewrap");

testInside(
  "a command that was wrongly thought to only read can still not write or call out, and none starts in a session that is lost",
  async () => {
    const [workspace, elsewhere] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    const sandbox = await openSandbox({
      mode: "auto",
      roots: { root: workspace, extraRoots: [] },
      hidden: [elsewhere],
      protectedNames: [".git"],
      sensitiveNames: [".env*"],
      userPath: process.env.PATH ?? "",
    });
    await writeFile(join(workspace, "a.txt"), "as it was");
    await writeFile(join(workspace, ".env"), "SECRET=1");
    await writeFile(join(elsewhere, "private.txt"), "not yours");
    const server = createServer((socket) => socket.end("reached\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const jobs = await openJobs({
      folder: join(elsewhere, "jobs"),
      known: new Map(),
      onRecord: () => {},
      onEvent: () => {},
      ...(await jobsAlone()),
    });
    onTestFinished(() => jobs.close());
    let isLost = false;
    const processes = createSessionProcesses({
      sandbox,
      jobs,
      marker: "fooled",
      directory: {
        path: workspace,
        locate: async () => workspace,
        resolve: async (path) => path,
        follow: async () => [],
      },
      environment: { PATH: "/usr/bin:/bin" },
      outputFolder: elsewhere,
      confirmOwner() {
        if (isLost) throw new ToolError("session-lost", "taken over");
      },
      maxOutputFileBytes: 1_000_000,
      start: (spec) => startCommand(spec),
    });
    const run = (command: string) =>
      processes.run(
        {
          callId: "call",
          signal: new AbortController().signal,
          onLines: () => {},
          onStart: () => {},
          onPlanted: () => {},
          requestEscalation: async () => undefined,
          gate: {
            // As if everything were harmless.
            run: async () => ({ profile: "read-only", directory: workspace, readable: [], writable: [] }),
          },
        },
        command,
      );

    for (const command of [
      "echo changed > a.txt",
      "rm a.txt",
      "touch new.txt",
      "mkdir .git",
      "touch /usr/x",
      `echo > ${join(elsewhere, "private.txt")}`,
      `cat ${join(elsewhere, "private.txt")}`,
      "cat .env | grep SECRET",
      `exec 9<>/dev/tcp/127.0.0.1/${port}`,
    ]) {
      const { exitCode, stdout } = await run(command);
      expect({ command, failed: exitCode !== 0, stdout }).toEqual({ command, failed: true, stdout: "" });
    }
    expect((await run("cat a.txt")).stdout).toBe("as it was");
    isLost = true;
    await expect(run("cat a.txt")).rejects.toMatchObject({ code: "session-lost" });
    expect((await readdir(workspace)).sort()).toEqual([".env", "a.txt"]);
  },
);
