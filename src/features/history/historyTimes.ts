import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getEntryTitle } from './historyLabels.ts';

/**
 * Formats when entries were made: the time of day, after the date unless that is today. Those with the same title in
 * the same minute get seconds. The texts are right until the day is over.
 */
export function formatEntryTimes(entries: readonly HistoryEntry[], now: number): readonly string[] {
  const [formatMinute, formatSecond] = [createTimeFormat(now, 'short'), createTimeFormat(now, 'medium')];
  const rows = entries.map((entry) => `${getEntryTitle(entry)} ${formatMinute(entry.startedAt)}`);
  const counts = new Map<string, number>();
  for (const row of rows) {
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  return entries.map(({ startedAt }, index) =>
    counts.get(rows[index] ?? '') === 1 ? formatMinute(startedAt) : formatSecond(startedAt),
  );
}

/**
 * Returns a function that formats a time: with the date unless it is today, and with the year unless it is this year.
 */
function createTimeFormat(now: number, timeStyle: 'short' | 'medium'): (time: number) => string {
  const date = { month: 'short', day: 'numeric' } as const;
  const [timeFormat, dayFormat, yearFormat] = [
    { timeStyle },
    date,
    { ...date, year: 'numeric' } as const,
  ].map((options) => new Intl.DateTimeFormat(vscode.env.language, options));
  const [today, year] = [getMidnight(now), new Date(now).getFullYear()];
  return (time) => {
    const dateFormat = new Date(time).getFullYear() === year ? dayFormat : yearFormat;
    const texts = [
      ...(getMidnight(time) === today ? [] : [dateFormat?.format(time)]),
      timeFormat?.format(time),
    ];
    return texts.join(', ');
  };
}

const getMidnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** Returns the time at which a day is over. */
export const getNextMidnight = (time: number): number => new Date(time).setHours(24, 0, 0, 0);

export const formatExactTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
