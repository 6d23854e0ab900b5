export interface Web {
  fetch(
    url: string,
    options?: { timeoutMs?: number },
  ): Promise<{ status: number; contentType: string; body: string }>;
}
