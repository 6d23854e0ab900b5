/** One step of a filter program: the subset of the kernel's classic BPF that we need. */
export type FilterStep =
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
