import type { SandboxProfile } from "../sandbox.ts";
import { assembleBpf, type FilterStep } from "./assemble-bpf.ts";
import { type Machine, machines, refusedEverywhere } from "./system-calls.ts";

/**
 * A filter that blocks system calls which no command needs and which most sandbox escapes use. Undefined for a processor
 * whose system call numbers we do not know.
 */
export function seccompFilter(profile: SandboxProfile, architecture: string): Buffer | undefined {
  const machine = machines.get(architecture);
  return machine && assembleBpf(filterSteps(machine, familiesOf[profile]));
}

const unixFamily = 1;
const inetFamily = 2;
const inet6Family = 10;
// Programs use it to ask the kernel for their network addresses.
const netlinkFamily = 16;

/**
 * The network namespace blocks the network; this blocks socket families that no namespace covers, such as the one to a
 * virtual machine's host. Commands that may write need a loopback, because tests start servers.
 */
const familiesOf: Record<SandboxProfile, readonly number[]> = {
  "read-only": [unixFamily],
  "workspace-write": [unixFamily, inetFamily, inet6Family, netlinkFamily],
  network: [unixFamily, inetFamily, inet6Family, netlinkFamily],
};

function filterSteps(machine: Machine, families: readonly number[]): FilterStep[] {
  const refused = [...Object.values(machine.refused), ...Object.values(refusedEverywhere)];
  const { foreignNumbersFrom } = machine;
  return [
    { load: architectureAt },
    { ifEqual: machine.auditArchitecture, goTo: "known" },
    // On another architecture the call numbers differ, so the checks below would be meaningless.
    { answer: killProcess },
    { label: "known" },
    { load: numberAt },
    ...(foreignNumbersFrom === undefined ? [] : [{ ifAtLeast: foreignNumbersFrom, goTo: "refuse" }]),
    ...refused.map((number) => ({ ifEqual: number, goTo: "refuse" })),
    // A filter cannot see clone3's flags, which are in memory. If it seems not to exist, programs fall back to clone.
    { ifEqual: machine.clone3, goTo: "unknown-call" },
    { ifEqual: machine.clone, goTo: "namespaces" },
    { ifEqual: machine.unshare, goTo: "namespaces" },
    { ifEqual: machine.ioctl, goTo: "terminal" },
    { ifEqual: machine.socket, goTo: "family" },
    { ifEqual: machine.socketpair, goTo: "family" },
    { answer: allow },

    { label: "namespaces" },
    { load: argumentAt(0) },
    { ifAnyBit: newUserNamespace, goTo: "refuse" },
    { answer: allow },

    // Typing into the terminal that started us. Like the kernel, compare only 32 bits of the request.
    { label: "terminal" },
    { load: argumentAt(1) },
    { ifEqual: typeIntoTerminal, goTo: "refuse" },
    { ifEqual: consoleSelection, goTo: "refuse" },
    { answer: allow },

    { label: "family" },
    { load: argumentAt(0) },
    ...families.map((family) => ({ ifEqual: family, goTo: "allow" })),
    { answer: fail(addressFamilyNotSupported) },

    { label: "allow" },
    { answer: allow },
    { label: "refuse" },
    { answer: fail(notPermitted) },
    { label: "unknown-call" },
    { answer: fail(noSuchCall) },
  ];
}

// Offsets in struct seccomp_data; of an argument, the lower half, which comes first in little endian.
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const newUserNamespace = 0x1000_0000;
// TIOCSTI, TIOCLINUX
const typeIntoTerminal = 0x5412;
const consoleSelection = 0x541c;

const allow = 0x7fff_0000;
const killProcess = 0x8000_0000;
const fail = (errno: number) => 0x0005_0000 | errno;
const notPermitted = 1;
const noSuchCall = 38;
const addressFamilyNotSupported = 97;
