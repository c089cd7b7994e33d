import { getSetting } from './settings.ts';

const bytesPerMegabyte = 1024 * 1024;
const msPerDay = 24 * 60 * 60 * 1000;

/** Returns how much of the history is kept, as set by the user. */
export const getHistoryLimits = (): { readonly maxBytes: number; readonly maxAgeMs: number } => ({
  maxBytes: getSetting('history.maxSize') * bytesPerMegabyte,
  maxAgeMs: getSetting('history.maxAge') * msPerDay,
});
