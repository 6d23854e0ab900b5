import { expect, test } from "vitest";
import { parseMountTable } from "../../../../src/machine/sandbox/bubblewrap/mount-table.ts";

const { locate, points } = parseMountTable(`27 1 254:0 / / rw - ext4 /dev/vda rw
30 27 0:30 / /srv/data rw - tmpfs tmpfs rw
31 27 0:31 /part /srv rw - tmpfs tmpfs rw
32 31 0:32 / /srv/new rw - tmpfs tmpfs rw
33 32 0:33 /sub /srv/new rw - tmpfs tmpfs rw
40 27 0:40 / /people rw shared:1 - nfs4 server:/export rw
41 40 0:41 / /people/me/local\\040disk rw - ext4 /dev/vdb rw
`);

test("a path is located on the mount that is on top there", () => {
  expect(locate("/usr/bin")).toEqual({ device: "254:0", root: "/usr/bin" });
  expect(locate("/srv/data/x")).toEqual({ device: "0:31", root: "/part/data/x" });
  expect(locate("/srv/new/x")).toEqual({ device: "0:33", root: "/sub/x" });
});

test("of a network file system, the kernel tells no places", () => {
  expect(locate("/people/me/work")).toEqual({ device: "0:40", root: "/" });
  expect(locate("/people/me/local disk/work")).toEqual({ device: "0:41", root: "/work" });
});

test("a mount that another one hides does not count", () => {
  expect(new Set(points)).toEqual(new Set(["/", "/srv", "/srv/new", "/people", "/people/me/local\\040disk"]));
});
