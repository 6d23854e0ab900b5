/**
 * Lets Node keep what it has compiled of our code, so that the next start need not do it again. The folder is the
 * user's own, since whoever can write there decides what runs. An import of `node:module` would itself cost time.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { homedir } = process.getBuiltinModule("node:os");
  const configured = process.env.XDG_CACHE_HOME;
  const base = configured?.startsWith("/") ? configured : `${homedir()}/.cache`;
  enableCompileCache(`${base}/toolwright/compiled`);
}
