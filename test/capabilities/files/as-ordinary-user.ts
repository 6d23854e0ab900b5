/** Root may do everything, so a test of permissions has to drop its rights for a moment. */
export async function asOrdinaryUser(work: () => Promise<unknown>): Promise<void> {
  if (process.getuid?.() !== 0) {
    await work();
    return;
  }
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
