/** The package is needed only once something has changed. */
export function loadDiff(): Promise<typeof import("diff")> {
  return import("diff");
}
