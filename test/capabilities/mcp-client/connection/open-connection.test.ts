import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { findNetworkTrouble } from "../../../../src/capabilities/mcp-client/connection/open-connection.ts";
import { freePort } from "../../../support/free-port.ts";

test("a host with several addresses, none of which answers, fails with the reason", async () => {
  const port = await freePort();
  const socket = connect({
    host: "two.example",
    port,
    autoSelectFamily: true,
    lookup: (_host, _options, answer) =>
      answer(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "127.0.0.2", family: 4 },
      ]),
  });
  const [cause] = await once(socket, "error");
  expect(cause).toBeInstanceOf(AggregateError);
  expect(findNetworkTrouble(new TypeError("fetch failed", { cause }))).toBe(
    `cannot connect: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});

test("an error that is not the network's is described by its own message", () => {
  const endless = new Error("endless");
  endless.cause = endless;
  for (const error of [new Error("refused", { cause: new Error("no") }), endless, "text", undefined])
    expect(findNetworkTrouble(error)).toBeUndefined();
});
