import type { SandboxProfile } from "../sandbox.ts";
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

/** One step of a filter program: the subset of the kernel's classic BPF that we need. */
type FilterStep =
  | { readonly load: number }
  | { readonly ifEqual: number; readonly goTo: string }
  | { readonly ifAtLeast: number; readonly goTo: string }
  | { readonly ifAnyBit: number; readonly goTo: string }
  | { readonly label: string }
  | { readonly answer: number };

/** Encodes a filter for the kernel: eight bytes per instruction, little endian like all supported machines. */
export function assembleBpf(steps: readonly FilterStep[]): Buffer {
  const labels = locateLabels(steps);
  const instructions = steps.filter((step) => !("label" in step));
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, step] of instructions.entries()) {
    const { code, value, goTo } = encode(step);
    bytes.writeUInt16LE(code, index * 8);
    if (goTo !== undefined) bytes.writeUInt8(distance(labels, goTo, index), index * 8 + 2);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

function locateLabels(steps: readonly FilterStep[]): Map<string, number> {
  const labels = new Map<string, number>();
  let position = 0;
  for (const step of steps) {
    if ("label" in step) labels.set(step.label, position);
    else position += 1;
  }
  return labels;
}

// From linux/bpf_common.h: LD|W|ABS, JMP|JEQ|K, JMP|JGE|K, JMP|JSET|K, RET|K.
const codes = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, answer: 0x06 };

function encode(step: FilterStep): { code: number; value: number; goTo?: string } {
  if ("load" in step) return { code: codes.load, value: step.load };
  if ("ifEqual" in step) return { code: codes.ifEqual, value: step.ifEqual, goTo: step.goTo };
  if ("ifAtLeast" in step) return { code: codes.ifAtLeast, value: step.ifAtLeast, goTo: step.goTo };
  if ("ifAnyBit" in step) return { code: codes.ifAnyBit, value: step.ifAnyBit, goTo: step.goTo };
  if ("answer" in step) return { code: codes.answer, value: step.answer };
  throw new TypeError(`a label is not an instruction: ${step.label}`);
}

/** Jumps only go forward, by at most 255 instructions. */
function distance(labels: ReadonlyMap<string, number>, label: string, from: number): number {
  const to = labels.get(label);
  if (to === undefined) throw new TypeError(`no label ${label} in the filter`);
  const steps = to - from - 1;
  if (steps < 0 || steps > 255) throw new RangeError(`the jump to ${label} is ${steps} instructions long`);
  return steps;
}
