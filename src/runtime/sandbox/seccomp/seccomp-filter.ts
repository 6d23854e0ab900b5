import type { SandboxProfile } from "../sandbox.ts";
import { assembleBpf, type FilterStep } from "./assemble-bpf.ts";
import { type Machine, machines, refusedEverywhere } from "./system-calls.ts";

/**
 * The system calls that no command needs and that a way out of the sandbox is most often made of. Undefined for a
 * processor whose numbers we do not know.
 */
export function seccompFilter(profile: SandboxProfile, architecture: string): Buffer | undefined {
  const machine = machines.get(architecture);
  return machine && assembleBpf(filterSteps(machine, familiesOf[profile]));
}

const unixFamily = 1;
const inetFamily = 2;
const inet6Family = 10;
// Programs ask the kernel over it which addresses they have.
const netlinkFamily = 16;

/**
 * The namespace keeps the network away; this keeps away what no namespace covers, such as the way to a virtual machine's
 * host. A command that may write needs its own loopback: tests start servers.
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
    // The same call has another number there, so nothing below would hold.
    { answer: killProcess },
    { label: "known" },
    { load: numberAt },
    ...(foreignNumbersFrom === undefined ? [] : [{ ifAtLeast: foreignNumbersFrom, goTo: "refuse" }]),
    ...refused.map((number) => ({ ifEqual: number, goTo: "refuse" })),
    // Its flags lie in memory, where no filter sees them; told that it does not exist, everybody falls back to clone.
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

    // Typing into the terminal that started us. The kernel looks at 32 bits of the request, so we do.
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

// Where struct seccomp_data holds them; of an argument its lower half, which is first in little endian.
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
