import { escapeLine } from "../../shared/text/escape-controls.ts";

/** An ISO time as a person reads it; what is not one comes out as it is, with nothing for a terminal to obey. */
export function formatTime(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? [];
  return day === undefined ? escapeLine(iso) : `${day} ${time}Z`;
}

/** How long something took, as exactly as a person cares for. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return formatLong(Math.floor(durationMs / 1000));
}

/** How long something has taken so far, which is told again every second. */
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
