import { Writable } from "node:stream";

/** Stdout for one writer alone: whatever else is written there, such as by a tool that prints, goes to stderr. */
export function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const own = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk, (error) => done(error ?? null));
    },
  });
  process.stdout.on("error", (error) => own.destroy(error));
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return own;
}
