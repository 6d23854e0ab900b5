import { stripTypeScriptTypes } from "node:module";
import { Socket } from "node:net";

// The program inside the sandbox. Whatever a made tool does to it, the other side judges every message as if the tool
// itself had sent it. It imports nothing of ours: no other file of the package is visible here.

type Received =
  | {
      readonly load: {
        readonly code: string;
        readonly isTypeScript: boolean;
        readonly uses: readonly string[];
      };
    }
  | { readonly call: number; readonly input: unknown }
  | {
      readonly answer: number;
      readonly value?: unknown;
      readonly failure?: { code: string; message: string };
    };

type Run = (input: unknown, context: object) => unknown;

const socket = new Socket({ fd: 3, readable: true, writable: true });
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let run: Run | undefined;
let context: object = {};
let uses = 0;

let rest = "";
socket.setEncoding("utf8");
socket.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void receive(JSON.parse(line));
});
socket.on("close", () => process.exit());

function send(message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

async function receive(message: Received): Promise<void> {
  if ("load" in message) await load(message.load);
  else if ("call" in message) await perform(message.call, message.input);
  else settle(message);
}

async function load({
  code,
  isTypeScript,
  uses,
}: Extract<Received, { load: unknown }>["load"]): Promise<void> {
  try {
    const plain = isTypeScript ? stripTypeScriptTypes(code) : code;
    const module = await import(`data:text/javascript;base64,${Buffer.from(plain).toString("base64")}`);
    if (typeof module.default !== "function")
      throw new TypeError("the module has no function as its default export");
    run = module.default;
    context = createContext(uses);
    send({ ready: true });
  } catch (error) {
    send({ broken: describe(error) });
  }
}

async function perform(call: number, input: unknown): Promise<void> {
  try {
    send({ result: call, value: (await run!(input, context)) ?? null });
  } catch (error) {
    send({ result: call, failure: describe(error) });
  }
}

function createContext(names: readonly string[]): object {
  const services: Record<string, Record<string, unknown>> = {};
  for (const name of names) {
    const [service = "", method = ""] = name.split(".");
    services[service] ??= {};
    services[service][method] = (...given: unknown[]) => ask(name, given);
  }
  return services;
}

function ask(name: string, given: readonly unknown[]): Promise<unknown> {
  const use = ++uses;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(use, answer);
  send({ use, name, given });
  return answer.promise;
}

function settle({ answer, value, failure }: Extract<Received, { answer: number }>): void {
  const asked = waiting.get(answer);
  waiting.delete(answer);
  if (failure === undefined) asked?.resolve(value);
  else asked?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
