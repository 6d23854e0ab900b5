/** A processor architecture: its name in the kernel, and its numbers for the system calls in the filter. */
export interface Machine {
  /** AUDIT_ARCH_… */
  readonly auditArchitecture: number;
  /** Numbers from here on belong to another ABI for the same calls. */
  readonly foreignNumbersFrom?: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly clone: number;
  readonly clone3: number;
  readonly unshare: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
}

/** System calls that no command needs and that escapes use, with their numbers on each architecture. */
const refused: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  syslog: [103, 116],
  ptrace: [101, 117],
  pivot_root: [155, 41],
  mount: [165, 40],
  umount2: [166, 39],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  perf_event_open: [298, 241],
  open_by_handle_at: [304, 265],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  bpf: [321, 280],
  userfaultfd: [323, 282],
};

function refusedOn(architecture: 0 | 1): Machine["refused"] {
  return Object.fromEntries(Object.entries(refused).map(([name, numbers]) => [name, numbers[architecture]]));
}

/** Keyed by Node's `process.arch`. */
export const machines: ReadonlyMap<string, Machine> = new Map([
  [
    "x64",
    {
      auditArchitecture: 0xc000_003e,
      // x32
      foreignNumbersFrom: 0x4000_0000,
      refused: refusedOn(0),
      ...{ clone: 56, clone3: 435, unshare: 272, ioctl: 16, socket: 41, socketpair: 53 },
    },
  ],
  [
    "arm64",
    {
      auditArchitecture: 0xc000_00b7,
      refused: refusedOn(1),
      ...{ clone: 220, clone3: 435, unshare: 97, ioctl: 29, socket: 198, socketpair: 199 },
    },
  ],
]);

/** Also refused; system calls this new have the same number on every architecture. */
export const refusedEverywhere: Readonly<Record<string, number>> = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
  open_tree_attr: 467,
};
