export { configFileOf } from "./config-origin.ts";
export { kernelOptions, type Plugin, type PluginApi } from "./kernel-options.ts";
