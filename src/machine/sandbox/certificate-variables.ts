/** Environment variables that name a file or folder of certificates to trust, such as those of an inspecting proxy. */
export const certificateVariables: readonly string[] = [
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"],
  ...["PIP_CERT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "CARGO_HTTP_CAINFO", "AWS_CA_BUNDLE", "DENO_CERT"],
  ...["NIX_SSL_CERT_FILE", "npm_config_cafile", "NPM_CONFIG_CAFILE"],
];
