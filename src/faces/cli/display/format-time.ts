import { escapeLine } from "../../../shared/text/escape-controls.ts";

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 12:00:00Z`; any other text is only escaped. */
export function formatTime(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? [];
  return day === undefined ? escapeLine(iso) : `${day} ${time}Z`;
}

/** Formats a duration: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return formatLong(Math.floor(durationMs / 1000));
}

/** Formats a duration so far, in whole seconds, because it is redrawn every second. */
export function formatElapsed(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000);
  return seconds < 60 ? `${seconds} s` : formatLong(seconds);
}

function formatLong(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
