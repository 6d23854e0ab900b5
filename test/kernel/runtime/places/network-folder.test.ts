import { expect, test } from "vitest";
import {
  describeNetwork,
  findNetwork,
  findNetworkState,
} from "../../../../src/kernel/runtime/places/network-folder.ts";
import { readHealth } from "../../../../src/kernel/runtime/runtime-health.ts";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const testOnLinux = await needs("linux");

testOnLinux("a folder on a network file system is told from one of this machine", async () => {
  const folder = await temporaryFolder();
  expect(await findNetwork(folder)).toBeUndefined();
  expect(await findNetwork(`${folder}/not/there/yet`)).toBeUndefined();
  expect(await findNetworkState(folder, `sqlite:${folder}/store.sqlite`)).toBeUndefined();
  expect(await findNetwork(folder, { typeOf: async () => 0x6969 })).toBe("NFS");
  // Some versions of Node give large numbers as negative ones.
  expect(await findNetwork(folder, { typeOf: async () => 0xfe534d42 | 0 })).toBe("SMB");
});

testOnLinux.each([
  ["sshfs", "/", "fuse.sshfs me@host:/home"],
  ["fuse", "/", "fuse https://dav.example/me"],
  ["rclone", "/", "fuse.rclone anything"],
  [undefined, "/", "fuse.bindfs /data"],
  [undefined, "/", "fuseblk /dev/sda1"],
  [undefined, "/nowhere", "fuse.sshfs me@host:/home"],
])("of the file systems that are programs, %s is found at %s as %s", async (network, point, mount) => {
  const folder = await temporaryFolder();
  const mounts = `22 1 0:21 / / rw - ext4 /dev/vda rw\n23 22 0:22 / ${point} rw shared:1 - ${mount} rw\n`;
  const facts = { typeOf: async () => 0x65735546, readMounts: async () => mounts };
  expect(await findNetwork(folder, facts)).toBe(network);
});

test("a user who keeps state there is told where it could be instead, and health is degraded", async () => {
  const network = describeNetwork("/net/state", "NFS");
  expect(network.found).toContain("/net/state is on a network file system (NFS)");
  expect(network.advice).toContain("XDG_STATE_HOME");
  const health = await readHealth({
    network,
    store: { probe: async () => {} },
    stateFolder: await temporaryFolder(),
    sandbox: async () => ({ kind: "bubblewrap" }),
    isSandboxOff: false,
  });
  expect(health).toMatchObject({ status: "degraded", disk: { isOk: true, problem: network.found } });
});
