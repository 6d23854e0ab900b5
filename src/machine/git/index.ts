export { type Git, gitFailed, openGit } from "./open-git.ts";
export type { GitEnd } from "./run-git.ts";
