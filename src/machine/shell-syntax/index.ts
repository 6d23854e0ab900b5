export { readScript } from "./read-script.ts";
export type { ReadOptions } from "./reading.ts";
export type {
  Assignment,
  Redirect,
  ScriptProblem,
  ShellScript,
  SimpleCommand,
  Word,
} from "./shell-script.ts";
export { isFreshName } from "./shell-state.ts";
