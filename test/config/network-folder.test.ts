import { expect, test } from "vitest";
import { describeNetwork, findNetwork } from "../../src/config/network-folder.ts";
import { temporaryFolder } from "../support/open-test-session.ts";

test.runIf(process.platform === "linux")(
  "a folder on a network file system is told from one of this machine",
  async () => {
    const folder = await temporaryFolder();
    expect(await findNetwork(folder)).toBeUndefined();
    expect(await findNetwork(`${folder}/not/there/yet`)).toBeUndefined();
    expect(await findNetwork(folder, async () => 0x6969)).toBe("NFS");
    // Some versions of Node give large numbers as negative ones.
    expect(await findNetwork(folder, async () => 0xfe534d42 | 0)).toBe("SMB");
  },
);

test("who keeps state there is told where it could be instead", () => {
  const { found, advice } = describeNetwork("/net/state", "NFS");
  expect(found).toContain("/net/state is on a network file system (NFS)");
  expect(advice).toContain("XDG_STATE_HOME");
});
