import { expect, onTestFinished } from "vitest";
import { noEffects, type Verdict } from "../../../../src/kernel/policy/verdict.ts";
import { needs } from "../../../support/needs.ts";
import { openGround } from "./open-ground.ts";
import { plantWorld } from "./plant-world.ts";
import { findTracingProblem } from "./run-traced.ts";
import { learnUsualDeeds } from "./usual-deeds.ts";

const testTraced = await needs("bubblewrap", "strace", findTracingProblem);

/** Commands, and what is to be said of each if its verdict were that it only reads `a.txt`. */
const noticed: readonly (readonly [command: string, surprises: readonly string[]])[] = [
  ["cat a.txt", []],
  ["wc -l < a.txt | sort", []],
  ["for f in a.t*; do stat $f; done", []],
  ["cat b.txt", ["reads WORK/b.txt"]],
  ["ls sub", ["reads WORK/sub"]],
  ["cat link-secret", ["reads BASE/outside/secret.txt", "prints a file outside"]],
  ["cat < ../outside/none", ["reads BASE/outside/none"]],
  ["echo > m", ["writes WORK/m"]],
  ["cd sub && mkdir m", ["writes WORK/sub/m"]],
  ["mv a.txt m", ["writes WORK/a.txt", "writes WORK/m"]],
  ["rm -f a.txt", ["writes WORK/a.txt"]],
  ["ln -s a.txt m", ["writes WORK/m"]],
  ["chmod 600 a.txt", ["writes WORK/a.txt"]],
  ["truncate -s 0 a.txt", ["writes WORK/a.txt"]],
  ["(echo > m) & wait", ["writes WORK/m"]],
  ["setsid sleep 1000 >/dev/null 2>&1 &", []],
  ["./run.sh", ["runs WORK/run.sh", "reads WORK/run.sh", "runs /usr/bin/touch", "writes WORK/m"]],
  ["PATH=3; ls", ["runs WORK/3/ls", "reads WORK/3/ls"]],
  ["echo > /dev/tcp/127.0.0.1/9", ['connects AF_INET sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")']],
  ["echo $DECLARED", ["prints the environment"]],
];

testTraced("every kind of deed beyond a verdict is noticed", async () => {
  const world = await plantWorld();
  onTestFinished(() => world.remove());
  const ground = await openGround(world, "readonly", learnUsualDeeds());
  onTestFinished(() => ground.close());
  const runs = await ground.run(noticed.map(([command]) => command));
  const said = await Promise.all(
    noticed.map(async ([command], index) => {
      const verdict: Verdict = {
        ...{ decision: "allow", reason: "", decidedBy: "", permissionClass: "read" },
        effects: { ...noEffects, reads: ["a.txt"] },
      };
      const surprises = await ground.surprises({ command, verdict }, runs[index]!);
      return [command, surprises.map((each) => each.replace(world.work, "WORK").replace(world.base, "BASE"))];
    }),
  );
  expect(said).toEqual(noticed);
});
