/** Makes up JSON-RPC messages that are almost right, from random numbers between 0 and 1. */
export function createMessageMaker(random: () => number): () => string {
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const number = (max: number) => Math.floor(random() * max);

  const oddText = () =>
    oneOf([
      "",
      "x".repeat(number(3000)),
      "-eyJaaaaaaaaaaa".repeat(number(400)),
      "\u0000\u202e\ud800",
      "__proto__",
      "../".repeat(number(50)),
      "\r\n".repeat(number(200)),
      "sk-".repeat(number(300)),
      "a@".repeat(number(300)),
      "-----BEGIN PRIVATE KEY-----\n".repeat(number(30)),
    ]);
  const oddValue = (depth = 0): unknown =>
    depth > 3
      ? oddText()
      : oneOf<() => unknown>([
          () => null,
          () => random() * 1e300,
          () => -0,
          oddText,
          () => Array.from({ length: number(6) }, () => oddValue(depth + 1)),
          () => Object.fromEntries(Array.from({ length: number(6) }, () => [oddText(), oddValue(depth + 1)])),
        ])();
  const methods = [
    "initialize",
    "notifications/initialized",
    "notifications/cancelled",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "completion/complete",
    "logging/setLevel",
    "server/discover",
    "subscriptions/listen",
    "prompts/get",
  ];
  const tools = [
    "file_read",
    "file_list",
    "search_text",
    "file_patch",
    "file_edit",
    "shell_run",
    "web_fetch",
  ];
  const params = (method: string): unknown => {
    if (random() < 0.2) return oddValue();
    const about = random() < 0.3 ? { _meta: oddValue() } : {};
    if (method === "tools/call")
      return { name: oneOf([...tools, oddText()]), arguments: oddArguments(), ...about };
    if (method === "resources/read") return { uri: oneOf(["toolwright://receipts/x", oddText()]), ...about };
    if (method === "initialize")
      return {
        protocolVersion: oneOf(["2025-06-18", "2026-07-28", oddText()]),
        capabilities: oneOf([{}, oddValue()]),
        clientInfo: oneOf([{ name: "f", version: "1" }, oddValue()]),
      };
    return { cursor: oddValue(), ...about };
  };
  const oddArguments = () =>
    oneOf([
      oddValue(),
      { path: oddText(), pattern: oddText(), query: oddText(), command: oddText(), patch: oddText() },
      { [oddText()]: oddValue() },
    ]);
  const message = (): unknown => {
    const method = oneOf(random() < 0.95 ? methods : [oddText()]);
    return {
      jsonrpc: random() < 0.95 ? "2.0" : oddValue(),
      ...(random() < 0.9 && { id: oneOf<unknown>([number(1000), `${number(9)}`, null, oddValue()]) }),
      ...(random() < 0.95 && { method }),
      ...(random() < 0.9 && { params: params(method) }),
      ...(random() < 0.03 && { result: oddValue() }),
    };
  };
  const broken = (text: string) => {
    const at = number(text.length);
    return oneOf([text.slice(0, at), text.slice(0, at) + oneOf(["{", '"', "\\", "\u0000"]) + text.slice(at)]);
  };
  return () => {
    const shape = random();
    if (shape < 0.02) return oneOf(["[", '{"a":']).repeat(number(20_000));
    if (shape < 0.04)
      return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${'"a":1,'.repeat(number(30_000))}"z":0}}`;
    if (shape < 0.08) return JSON.stringify(Array.from({ length: number(150) }, message));
    const text = JSON.stringify(message());
    return shape < 0.2 ? broken(text) : text;
  };
}
