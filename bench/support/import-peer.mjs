/** Imports a package to compare with. If it is not installed, the report says so, and the result is undefined. */
export async function importPeer(specifier, leaveOut) {
  const address = findPeer(specifier, leaveOut);
  return address === undefined ? undefined : import(address);
}

/** The URL of a package to compare with. */
export function findPeer(specifier, leaveOut) {
  try {
    return import.meta.resolve(specifier);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    leaveOut(`${specifier} is not installed`);
    return undefined;
  }
}
