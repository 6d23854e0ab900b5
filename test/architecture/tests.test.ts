import { expect, test } from "vitest";
import { blankLiterals } from "./blank-literals.ts";
import { listProject, readText } from "./project-files.ts";

const files = (await listProject("test")).filter((path) => /\.(ts|mjs)$/.test(path));
const sources = await Promise.all(files.map(async (path) => ({ path, text: await readText(path) })));

/**
 * Who may use the clock, and for what. Any other test waits for an event, for a condition (`until`, `vi.waitFor`) or on a
 * clock that it turns itself (`stopClock`).
 */
const usersOfTimers = new Map([
  ["test/support/until.ts", "looks again and again"],
  ["test/capabilities/agents/sub-agents/child-worktree.ts", "stays alive until it is killed"],
  ["test/capabilities/processes/child-jobs.ts", "stays alive until it is killed"],
  ["test/e2e/session-tools.ts", "never answers, and stays alive"],
  ["test/conformance/client/client-fixture.ts", "looks again and again, and ends itself where it hangs"],
  ["test/conformance/conformance-tools.ts", "the suite asks for pauses"],
  ["test/capabilities/mcp-client/fixtures/sample-server.ts", "a tool that sleeps as long as it is told"],
  ["test/faces/mcp-server/hostile-requests.ts", "leaves where the server has nothing to say"],
  ["test/faces/mcp-server/hostile-http.test.ts", "a client that goes on slowly for ever"],
  ["test/capabilities/isolated/hostile-module.ts", "throws in a timer"],
  ["test/kernel/call/execute.test.ts", "whether timers have their turn"],
  ["test/capabilities/processes/output/capture-output.limits.ts", "whether timers have their turn"],
  ["test/kernel/store/measure-ticks.ts", "whether timers have their turn"],
]);

test("timers are used in the tests by the listed files alone", () => {
  const timers = /\b(?:setTimeout|setInterval|scheduler\.wait)\b/;
  const users = sources.filter(({ text }) => timers.test(blankLiterals(text).code)).map(({ path }) => path);
  expect(users.toSorted()).toEqual([...usersOfTimers.keys()].toSorted());
});

/** Who reads a clock or a use of memory though it sets no limit: a slow machine changes nothing about the outcome. */
const readersOfClocks = new Map([
  ["test/support/cpu-ms.ts", "for the limits"],
  ["test/support/pass.ts", "lets a moment pass"],
  ["test/kernel/store/measure-ticks.ts", "for the limits"],
  ["test/crash/child-soak.ts", "for the limits"],
  ["test/e2e/sessions/child-sessions.ts", "for the limits"],
  ["test/e2e/agents/child-agent-steps.ts", "for the limits"],
  ["test/faces/cli/talk/open-terminal.ts", "gives up some day"],
  ["test/kernel/call/execute.test.ts", "gives up some day"],
  ["test/machine/command-reading/differential/long-run.ts", "tells how long it ran"],
  ["test/kernel/tool-search/tool-index.test.ts", "takes its time"],
  ["test/capabilities/diagnostics/hostile-server.test.ts", "something takes at least so long"],
  ["test/machine/child/process-tree.test.ts", "something takes at least so long"],
  ["test/capabilities/processes/jobs/readiness.test.ts", "something takes at least so long"],
  ["test/capabilities/processes/command/start-command.test.ts", "takes its time"],
  ["test/capabilities/processes/output/capture-output.test.ts", "as many reports as there was time for"],
  ["test/acceptance/flyto/shell.test.ts", "a clock that it turns itself"],
]);

test("measurements of time, processor time and memory are in the limits alone, which run by themselves", () => {
  const clocks =
    /\b(?:performance\.now|hrtime|cpuUsage|threadCpuUsage|memoryUsage|resourceUsage|monitorEventLoopDelay)\b/;
  const helpers = /\b(?:cpuMs|awaitedCpuMs|spentCpuMs|leastBlocks|leastBlockMs)\(/;
  const tests = sources.filter(({ path }) => !path.endsWith(".limits.ts"));
  const readers = tests.filter(({ path, text }) => {
    const { code } = blankLiterals(text);
    return clocks.test(code) || (helpers.test(code) && !path.startsWith("test/support/"));
  });
  expect(readers.map(({ path }) => path).toSorted()).toEqual([...readersOfClocks.keys()].toSorted());
});

test("random numbers in the tests come from a seed", () => {
  const users = sources.filter(({ text }) => /\bMath\.random\b/.test(blankLiterals(text).code));
  // Where the seed itself comes from.
  expect(users.map(({ path }) => path)).toEqual(["test/support/fuzz.ts"]);
});

test("tests are left out only through needs.ts, so that a run can say why", () => {
  const ways = /\b(?:skip|skipIf|runIf)\b|\.(?:only|todo)\b/;
  const users = sources.filter(({ text }) => ways.test(blankLiterals(text).code)).map(({ path }) => path);
  expect(users).toEqual(["test/support/needs.ts"]);
});

test("tests use no syntax that the oldest supported Node cannot read", () => {
  const newer = sources.filter(({ text }) => /\busing +\w+ *=/.test(blankLiterals(text).code));
  expect(newer.map(({ path }) => path)).toEqual([]);
});
