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

/** Keyed by Node's `process.arch`. */
export const machines: ReadonlyMap<string, Machine> = new Map([
  [
    "x64",
    {
      auditArchitecture: 0xc000_003e,
      // x32
      foreignNumbersFrom: 0x4000_0000,
      refused: {
        syslog: 103,
        ptrace: 101,
        pivot_root: 155,
        mount: 165,
        umount2: 166,
        add_key: 248,
        request_key: 249,
        keyctl: 250,
        perf_event_open: 298,
        open_by_handle_at: 304,
        setns: 308,
        process_vm_readv: 310,
        process_vm_writev: 311,
        kcmp: 312,
        bpf: 321,
        userfaultfd: 323,
      },
      clone: 56,
      clone3: 435,
      unshare: 272,
      ioctl: 16,
      socket: 41,
      socketpair: 53,
    },
  ],
  [
    "arm64",
    {
      auditArchitecture: 0xc000_00b7,
      refused: {
        umount2: 39,
        mount: 40,
        pivot_root: 41,
        syslog: 116,
        ptrace: 117,
        add_key: 217,
        request_key: 218,
        keyctl: 219,
        perf_event_open: 241,
        open_by_handle_at: 265,
        setns: 268,
        process_vm_readv: 270,
        process_vm_writev: 271,
        kcmp: 272,
        bpf: 280,
        userfaultfd: 282,
      },
      clone: 220,
      clone3: 435,
      unshare: 97,
      ioctl: 29,
      socket: 198,
      socketpair: 199,
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
