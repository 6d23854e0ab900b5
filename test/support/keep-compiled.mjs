// For processes that tests kill: what they have compiled is kept once they say something, since they will not end by themselves.
import { flushCompileCache } from "node:module";

const { stdout } = process;
const { write } = stdout;
stdout.write = (...words) => {
  stdout.write = write;
  flushCompileCache();
  return stdout.write(...words);
};
