import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type CsvValue = string | number | boolean | null;

function cellOf(value: CsvValue, delimiter: string): string {
  const text = value === null ? '' : String(value);
  return text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes `<folder>/files/<name>` with a header; an object of which the sandbox imports the rows. */
export function writeCsv(
  folder: string,
  name: string,
  header: readonly string[],
  rows: readonly (readonly CsvValue[])[],
  delimiter = ',',
): void {
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  const lines = [header, ...rows].map((row) => row.map((value) => cellOf(value, delimiter)).join(delimiter));
  writeFileSync(join(files, name), `${lines.join('\n')}\n`);
}
