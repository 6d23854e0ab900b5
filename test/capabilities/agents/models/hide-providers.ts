import { registerHooks } from "node:module";

/** Loaded before a program, it makes the packages of model vendors look as if they were not installed. */
registerHooks({
  resolve(specifier, context, next) {
    if (!/^@ai-sdk\/(?:anthropic|openai|google)/.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
