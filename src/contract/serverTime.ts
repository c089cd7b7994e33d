/**
 * Converts a time of the server to milliseconds since the epoch. Without a time zone, it's in UTC (platform-facts.md,
 * 1.3). NaN if it's absent, or not a time.
 */
export const parseServerTime = (time: string | null | undefined): number => {
  const text = time ?? '';
  // A date alone is in UTC already.
  const hasZone = !text.includes(':') || /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
  return Date.parse(hasZone ? text : `${text}Z`);
};
