/**
 * Makes the files of ours that follow load sooner; together this is worth a quarter of what a plain call takes.
 * An import of these modules would make Node load all that they can do, hence the other way to get at them.
 */
export function startFast(): void {
  keepCompiledCode();
  skipSearching();
}

/** In the user's own folder, since whoever can write there decides what runs. */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { homedir } = process.getBuiltinModule("node:os");
  const configured = process.env.XDG_CACHE_HOME;
  const base = configured?.startsWith("/") ? configured : `${homedir()}/.cache`;
  enableCompileCache(`${base}/toolwright/compiled`);
}

/** Where our files lie needs no search for links and package descriptions; there are well over a hundred of them. */
function skipSearching(): void {
  const { registerHooks } = process.getBuiltinModule("node:module");
  const ownFolder = new URL("..", import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      const isOwn = specifier.startsWith(".") && parentURL?.startsWith(ownFolder);
      if (!isOwn) return next(specifier, context);
      const url = new URL(specifier, parentURL).href;
      return { url, shortCircuit: true, ...(url.endsWith(".js") && { format: "module" }) };
    },
  });
}
