import { expect, test } from "vitest";
import { assembleBpf, seccompFilter } from "../../../../src/machine/sandbox/seccomp/seccomp-filter.ts";
import { machines, refusedEverywhere } from "../../../../src/machine/sandbox/seccomp/system-calls.ts";
import { makeWorkspace, run, testInside } from "../inside.ts";

const profiles = ["read-only", "workspace-write", "network"] as const;
const allowed = "allow";

/** What the kernel would do with the program: the few instructions that we use, as it defines them. */
function judge(
  program: Buffer,
  call: { architecture: number; number: number; args?: readonly number[] },
): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [index, value] of (call.args ?? []).entries())
    data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at * 8 < program.length; at++) {
    const code = program.readUInt16LE(at * 8);
    const jump = { yes: program.readUInt8(at * 8 + 2), no: program.readUInt8(at * 8 + 3) };
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? jump.yes : jump.no;
    else if (code === 0x35) at += accumulator >= value ? jump.yes : jump.no;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? jump.yes : jump.no;
    else if (code === 0x06) return answer(value);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the program runs past its end");
}

function answer(value: number): string {
  if (value === 0x7fff0000) return allowed;
  if (value === 0x80000000) return "kill";
  if (value >>> 16 === 5) return `errno ${value & 0xffff}`;
  throw new Error(`unknown answer ${value}`);
}

for (const [name, machine] of machines) {
  const judgeCall = (profile: (typeof profiles)[number], number: number, ...args: number[]) =>
    judge(seccompFilter(profile, name)!, { architecture: machine.auditArchitecture, number, args });

  test(`on ${name} the listed calls are refused in every profile, and their neighbours are not`, () => {
    const refused = [...Object.values(machine.refused), ...Object.values(refusedEverywhere)];
    const special = [
      machine.clone,
      machine.clone3,
      machine.unshare,
      machine.ioctl,
      machine.socket,
      machine.socketpair,
    ];
    for (const profile of profiles) {
      for (let number = 0; number < 600; number++) {
        if (special.includes(number)) continue;
        expect([number, judgeCall(profile, number)]).toEqual([
          number,
          refused.includes(number) ? "errno 1" : allowed,
        ]);
      }
      expect(judgeCall(profile, machine.clone3)).toBe("errno 38");
    }
  });

  test(`on ${name} no new user namespace is made, and everything else is`, () => {
    for (const number of [machine.clone, machine.unshare]) {
      expect(judgeCall("network", number, 0x10000000)).toBe("errno 1");
      expect(judgeCall("network", number, 0x10000000 | 0x20011)).toBe("errno 1");
      expect(judgeCall("network", number, 0x01200011)).toBe(allowed);
    }
  });

  test(`on ${name} nothing is typed into a terminal, also with bits that the kernel does not look at`, () => {
    expect(judgeCall("network", machine.ioctl, 0, 0x5412)).toBe("errno 1");
    expect(judgeCall("network", machine.ioctl, 0, 0x1_0000_5412)).toBe("errno 1");
    expect(judgeCall("network", machine.ioctl, 0, 0x541c)).toBe("errno 1");
    expect(judgeCall("network", machine.ioctl, 0, 0x5401)).toBe(allowed);
  });

  test(`on ${name} only sockets of known kinds are made`, () => {
    const families = (profile: (typeof profiles)[number]) =>
      Array.from({ length: 50 }, (_, family) => family).filter(
        (family) => judgeCall(profile, machine.socket, family) === allowed,
      );
    expect(families("read-only")).toEqual([1]);
    expect(families("workspace-write")).toEqual([1, 2, 10, 16]);
    expect(families("network")).toEqual([1, 2, 10, 16]);
    expect(judgeCall("read-only", machine.socketpair, 1)).toBe(allowed);
    expect(judgeCall("read-only", machine.socket, 2)).toBe("errno 97");
  });

  test(`on ${name} calls made as on another machine end the process`, () => {
    const filter = seccompFilter("network", name)!;
    expect(judge(filter, { architecture: 0x40000003, number: 1 })).toBe("kill");
  });
}

test("calls by the numbers of x32 are refused", () => {
  const filter = seccompFilter("network", "x64")!;
  expect(judge(filter, { architecture: 0xc000003e, number: 0x40000000 + 1 })).toBe("errno 1");
});

test("there is no filter for a processor that we do not know", () => {
  expect(seccompFilter("network", "riscv64")).toBeUndefined();
});

test("a jump that leads nowhere, back, or too far is a mistake that shows", () => {
  expect(() => assembleBpf([{ ifEqual: 1, goTo: "x" }])).toThrow("no label x");
  expect(() => assembleBpf([{ label: "x" }, { ifEqual: 1, goTo: "x" }])).toThrow("-1");
  const far = Array.from({ length: 256 }, () => ({ answer: 0 }));
  expect(() => assembleBpf([{ ifEqual: 1, goTo: "x" }, ...far, { label: "x" }, { answer: 0 }])).toThrow(
    "256",
  );
});

testInside("the kernel holds commands to it", async () => {
  const { root, sandbox } = await makeWorkspace();
  const { refused, unshare } = machines.get(process.arch)!;
  const tries = [
    ["ptrace", refused.ptrace, 0, 0, 0, 0],
    ["keyctl", refused.keyctl, 0, -3, 0],
    ["bpf", refused.bpf, 0, 0, 0],
    ["io_uring_setup", refusedEverywhere.io_uring_setup, 1, 0],
    ["process_vm_readv", refused.process_vm_readv, 1, 0, 0, 0, 0, 0],
    ["userfaultfd", refused.userfaultfd, 1],
    ["unshare", unshare, 0x10000000],
    ["mount", refused.mount, 0, 0, 0, 0, 0],
    ["open_tree", refusedEverywhere.open_tree, -100, 0, 1],
  ].map(([name, ...args]) => `print "${name} ", syscall(${args.join(", ")}) < 0 ? $!+0 : "WORKED", "\\n";`);
  for (const profile of profiles) {
    const { stdout } = await run(
      sandbox,
      `perl -e '${tries.join(" ")}'; unshare -U true 2>&1; grep -E "^(NoNewPrivs|Seccomp|CapEff|CapBnd):" /proc/self/status`,
      {
        profile,
        directory: root,
      },
    );
    expect(stdout.split("\n").filter((line) => line.endsWith(" 1"))).toHaveLength(tries.length);
    expect(stdout).toContain("unshare failed: Operation not permitted");
    expect(stdout).toMatch(/CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2/);
  }
});
