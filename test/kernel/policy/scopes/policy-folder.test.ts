import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { testInside } from "../../../machine/sandbox/inside.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../../support/open-test-session.ts";

// With the home folder as the workspace, the folder of the user's policy is inside of it, and still out of reach.
testInside.each([true, false])(
  "a command in a real sandbox cannot read or change the user's policy and trust, there before: %s",
  async (isThere) => {
    const home = await temporaryFolder();
    const places = testPolicyPlaces(home);
    const folder = join(home, "config");
    if (isThere) {
      await mkdir(folder);
      await writeFile(places.user, '{"deny":[]}');
      await writeFile(places.trust, '{"projects":[]}');
    }
    const options = { workspace: home, sandbox: "required", permissions: { mode: "auto" } } as const;
    const { session } = await openTestSession(options, {}, places);
    // The path is put together at run time, so that only the sandbox can stop it.
    const attempts = [
      "cat $f/* $PWD/$f/policy.json",
      "ls -A $f",
      "echo '{\"allow\":[]}' > $f/policy.json",
      "echo x > $f/trust.json",
      "mv $f away",
      "rm -rf $f",
      "ln -s /tmp $f/link",
      "mkdir -p $f/sub",
      "cp -r $f copy",
      "tar -cf - $f | tar -tf -",
      "cat /proc/self/root$PWD/$f/policy.json",
    ];
    const command = `f=$(printf %s%s con fig)\n${attempts.map((each) => `(${each}) 2>&1`).join("\n")}\ntouch beside`;
    const { status, text } = await session.call("Bash", { command });
    expect(status).toBe("done");
    expect(text).not.toMatch(/"deny"|projects/);
    expect(await readdir(folder)).toEqual(isThere ? ["policy.json", "trust.json"] : []);
    if (isThere) {
      expect(await readFile(places.user, "utf8")).toBe('{"deny":[]}');
      expect(await readFile(places.trust, "utf8")).toBe('{"projects":[]}');
    }
    // The rest of the workspace was within its reach.
    expect(await readdir(home)).toContain("beside");
  },
);
