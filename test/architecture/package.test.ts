import { readdir } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMissing, listProject, projectFolder, readText } from "./project-files.ts";

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(await readText("package.json"));
const entryPoints = [
  ...Object.values(manifest.bin),
  ...Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? entry : Object.values(entry),
  ),
].map((path) => path.replace(/^\.\//, ""));

test("bin and exports lead to files that the build makes", async () => {
  expect(await findMissing(entryPoints)).toEqual([]);
});

test("the command starts with the line that makes a system run it with Node", async () => {
  for (const path of Object.values(manifest.bin)) {
    expect(await readText(path)).toMatch(/^#!\/usr\/bin\/env node\n/);
  }
});

test("every package that the code imports is installed with ours, or optional", async () => {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const code = (await readdir(join(projectFolder, "dist"), { recursive: true })).filter((path) =>
    path.endsWith(".js"),
  );
  expect(code.length).toBeGreaterThan(20);
  for (const path of code) {
    const text = await readText(`dist/${path}`);
    const imported = [
      ...text.matchAll(/^(?:import|export)\b[^;\n]*? ?from "([^".][^"]*)"|^import "([^".][^"]*)"/gm),
    ];
    const missing = imported
      .map(([, from, alone]) => from ?? alone ?? "")
      .filter((name) => !isBuiltin(name) && !installed.some((each) => `${name}/`.startsWith(`${each}/`)));
    expect(missing, path).toEqual([]);
  }
});

test("every declaration comes from a source file that is still there, or is made by the build", async () => {
  const declarations = (await readdir(join(projectFolder, "dist"), { recursive: true })).filter((path) =>
    path.endsWith(".d.ts"),
  );
  expect(declarations).toContain("index.d.ts");
  const made = ["tool/builtin-calls.d.ts", "types.d.ts"];
  expect(declarations).toEqual(expect.arrayContaining(made));
  const emitted = declarations.filter((path) => !made.includes(path));
  const sources = emitted.map((path) => join("src", path.replace(/\.d\.ts$/, ".ts")));
  expect(await findMissing(sources)).toEqual([]);
});

test("the package brings no second Node along", () => {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  expect({ ...dependencies, ...optionalDependencies, ...peerDependencies }).not.toHaveProperty("node");
});

test("no package-lock.json names a registry, so that it works with any registry", async () => {
  const locks = (await listProject()).filter((path) => path.endsWith("package-lock.json"));
  expect(locks).toContain("package-lock.json");
  const texts = await Promise.all(locks.map(async (path) => ({ path, text: await readText(path) })));
  expect(texts.filter(({ text }) => text.includes('"resolved"')).map(({ path }) => path)).toEqual([]);
});

test("no file speaks of the machine it was written on", async () => {
  const personal = /(?<![\w.-])\/(?:work|root|Users|home\/\w+)\//;
  const texts = await Promise.all(
    (await listProject()).map(async (path) => ({ path, text: await readText(path) })),
  );
  expect(texts.filter(({ text }) => personal.test(text)).map(({ path }) => path)).toEqual([]);
});

test("every package that is installed with ours has a licence to use it and pass it on", async () => {
  const lock: {
    packages: Record<string, { license?: string; dev?: true; optional?: true; devOptional?: true }>;
  } = JSON.parse(await readText("package-lock.json"));
  const installed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && !dev);
  expect(installed.length).toBeGreaterThan(20);
  const permissive = /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|PSF-2\.0|\(AFL-2\.1 OR BSD-3-Clause\))$/;
  // Optional, and libraries of their own, which whoever needs others can replace or leave out.
  const replaceable = /^node_modules\/(?:@img\/sharp-.+|libheif-js)$/;
  const others = installed.filter(
    ([path, { license = "none" }]) => !permissive.test(license) && !replaceable.test(path),
  );
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  const withoutOptional = installed.filter(([, { optional, devOptional }]) => !optional && !devOptional);
  expect(withoutOptional.length).toBeLessThanOrEqual(31);
});
