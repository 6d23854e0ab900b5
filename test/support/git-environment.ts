/** In which git knows nothing of whoever runs the tests: no configuration, no list of ignored files, no repository. */
export const gitEnvironment = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  // After every commit it would look whether it should tidy up.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
};
