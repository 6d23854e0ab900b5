import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findModel } from "../../../../src/capabilities/agents/models/find-model.ts";
import { freePort } from "../../../support/free-port.ts";
import { modelKeys, modelNames } from "../../../support/model-server/serve-model.ts";
import { startModelServer } from "../../../support/model-server/start-model-server.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}/v1`;
}

/** How an agent's work with such a model ends, and how often it was asked again. */
async function tryModel(name: string, baseUrl: string) {
  const model = await findModel(name, { baseUrl, environment: modelKeys });
  const { runtime, session } = await openTestSession();
  const result = await runtime.agent({ model, session, retryDelayMs: 1, maxRetries: 1 }).run("hello?");
  let retries = 0;
  for await (const { type } of session.events()) {
    if (type === "model-retry") retries += 1;
    if (type === "agent-end") break;
  }
  return { ...result, message: result.error?.message ?? "", retries };
}

test.each(modelNames)("%s is found at an address with slashes and spaces around it", async (name) => {
  const { url } = await startModelServer(() => ({ text: "hello" }));
  for (const written of [`${url}/`, ` ${url} `]) {
    expect(await tryModel(name, written)).toMatchObject({ reason: "done", text: "hello" });
  }
});

test.each(["127.0.0.1:8080/v1", "localhost:8080", "hello", "", "ftp://host/v1"])(
  "the base URL %j is refused in one sentence",
  async (baseUrl) => {
    await expect(findModel("openai/gpt-test", { baseUrl, environment: modelKeys })).rejects.toThrow(
      `the base URL must be a URL such as http://127.0.0.1:8080/v1; received ${JSON.stringify(baseUrl)}`,
    );
  },
);

test.each(modelNames)("%s: a web page in its place is told of, and not asked again", async (name) => {
  const url = await serve((request, response) => {
    request.resume();
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><title>Welcome</title>");
  });
  const { reason, message, retries } = await tryModel(name, url);
  expect(reason).toBe("failed");
  expect(message).toContain("the server sent text/html");
  expect(message).toContain("check the base URL");
  expect(retries).toBe(0);
});

test.each(modelNames)(
  "%s: a path or a model that is not there is told with where it was looked for",
  async (name) => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(404).end("nothing here");
    });
    const { message, retries } = await tryModel(name, url);
    expect(message).toContain(`HTTP 404 from ${url}/`);
    expect(message).toContain("check the model name and the base URL");
    expect(retries).toBe(0);
  },
);

test.each(modelNames)("%s: a key that is refused is told of", async (name) => {
  const url = await serve((request, response) => {
    request.resume();
    response.writeHead(401).end();
  });
  const { message, retries } = await tryModel(name, url);
  expect(message).toBe("Unauthorized (HTTP 401; check the API key)");
  expect(retries).toBe(0);
});

test.each(modelNames)("%s: a server that does not run is told of at once", async (name) => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const { message, retries } = await tryModel(name, `${origin}/v1`);
  expect(message).toContain(`cannot reach ${origin}/v1`);
  expect(message).toContain(
    ": connection refused; is the server running, and is this its address? (ECONNREFUSED)",
  );
  expect(retries).toBe(0);
});

test("https where only http is spoken is told of, and not tried again", async () => {
  const { url } = await startModelServer([]);
  const { message, retries } = await tryModel(modelNames[0], url.replace("http:", "https:"));
  expect(message).toContain("the server does not use https; try http://");
  expect(retries).toBe(0);
});

test("a certificate that nobody vouches for is told of, and not tried again", async () => {
  const folder = await temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1"];
  const keyOptions = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", [
    "req",
    "-x509",
    ...keyOptions,
    "-keyout",
    key,
    "-out",
    cert,
    ...subject,
  ]);
  const secure = createSecureServer({ key: await readFile(key), cert: await readFile(cert) });
  const { message, retries } = await tryModel(modelNames[1], `https://127.0.0.1:${await listen(secure)}/v1`);
  expect(message).toContain("its certificate is not trusted");
  expect(message).toContain("NODE_EXTRA_CA_CERTS");
  expect(retries).toBe(0);
});
