/** In which git knows nothing of whoever runs the tests: no configuration, no list of ignored files, no repository. */
export const gitEnvironment = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
};
