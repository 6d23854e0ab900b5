// Checked first: a build under an old Node would fail later with a message that does not say why.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Toolwright needs Node 22.18 or newer; this is ${process.version}. ` +
      "Run `npm ci` without --ignore-scripts, which installs Node 24 for npm scripts, or install a newer Node.",
  );
  process.exit(1);
}
