import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { type CsvCell, type CsvFormat, readCsvLines, splitCsvLine } from './csv.ts';

type OptionRecord = Readonly<Record<string, unknown>>;

/**
 * Options for reading a table's rows. The table's `configOptions` override `connection.parameters`; strings, booleans
 * and numbers are accepted (`"true"`, `true`, `"0"`, 0: platform-facts.md, 2.5).
 */
export interface CsvSource {
  readonly provider: string;
  /** The files that the connection or the table names; paths or file names. */
  readonly files: readonly string[];
  readonly folder: string;
  /** True if all files of the connection form one table (`unionAll`, platform-facts.md, 2.5). */
  readonly unionAll: boolean;
  readonly format: CsvFormat;
  readonly hasHeader: boolean;
  readonly ignoreFirstRows: number;
  readonly ignoreLastRows: number;
  readonly excludeIfBegins: string;
  readonly excludeIfContains: string;
  readonly culture: string;
}

function getTextOption(options: readonly OptionRecord[], key: string, fallback: string): string {
  for (const option of options) {
    const value = option[key];
    if (typeof value === 'string') {
      return value;
    }
    if (typeof value === 'number' || typeof value === 'boolean') {
      return String(value);
    }
  }
  return fallback;
}

const parseCount = (text: string): number => Math.max(0, Math.trunc(Number(text)) || 0);

const namedDelimiters: ReadonlyMap<string, string> = new Map([
  ['', ','],
  ['\\t', '\t'],
  ['tab', '\t'],
  ['comma', ','],
  ['semicolon', ';'],
  ['pipe', '|'],
]);

/**
 * Reads the options of one table. Encrypted `parameters` are a string (platform-facts.md, 2.5) and yield the defaults.
 */
export function readCsvSource(
  connection: { provider?: unknown; fileName?: unknown; parameters?: unknown } | undefined,
  configOptions: OptionRecord | undefined,
): CsvSource {
  const parameters =
    typeof connection?.parameters === 'object' && connection.parameters !== null
      ? (connection.parameters as OptionRecord)
      : {};
  const options = [configOptions ?? {}, parameters];
  const delimiter = getTextOption(options, 'delimiter', ',');
  const files = [
    ...(Array.isArray(parameters['files']) ? parameters['files'] : []),
    connection?.fileName,
    configOptions?.['Table'],
  ].filter((file): file is string => typeof file === 'string' && file !== '');
  return {
    provider: typeof connection?.provider === 'string' ? connection.provider : 'CSV',
    files,
    folder: getTextOption(options, 'folder', ''),
    unionAll: getTextOption(options, 'unionAll', 'false').toLowerCase() === 'true',
    format: {
      delimiter: namedDelimiters.get(delimiter.toLowerCase()) ?? delimiter,
      quote: getTextOption(options, 'stringQuote', '"'),
    },
    hasHeader: getTextOption(options, 'hasHeader', 'true').toLowerCase() !== 'false',
    ignoreFirstRows: parseCount(getTextOption(options, 'ignoreFirstRows', '0')),
    ignoreLastRows: parseCount(getTextOption(options, 'ignoreLastRows', '0')),
    excludeIfBegins: getTextOption(options, 'excludeIfBegins', ''),
    excludeIfContains: getTextOption(options, 'excludeIfContains', ''),
    culture: getTextOption(options, 'culture', 'en-US'),
  };
}

/** Resolves a path inside a folder; `undefined` if it leads outside, even through a link, or if it is not a file. */
function resolveFileUnder(root: string, path: string): string | undefined {
  const rootPath = resolve(root);
  const file = resolve(rootPath, path.replace(/^[\\/]+/, ''));
  const isInside =
    file.startsWith(rootPath + sep) &&
    existsSync(file) &&
    realpathSync(file).startsWith(realpathSync(rootPath) + sep);
  return isInside && statSync(file).isFile() ? file : undefined;
}

/**
 * Returns the files with a table's rows. For a file connector the table's id is the file name (rest-api.md, "Table"). A
 * table of another provider is read from a CSV file of the same name, since a sandbox connects to no database.
 * @throws Error with the name of the missing file.
 */
export function findSourceFiles(root: string, tableId: string, source: CsvSource): readonly string[] {
  if (source.unionAll && source.files.length > 0) {
    return source.files.map((file) => {
      const resolvedFile = resolveFileUnder(root, file) ?? resolveFileUnder(root, basename(file));
      if (resolvedFile === undefined) {
        throw new Error(`no such file: ${file}`);
      }
      return resolvedFile;
    });
  }
  const matchingFiles = source.files.filter((file) => file === tableId || basename(file) === tableId);
  const candidates = [
    ...matchingFiles,
    `${source.folder}/${tableId}`,
    tableId,
    basename(tableId),
    `${tableId}.csv`,
  ];
  for (const candidate of candidates) {
    const resolvedFile = resolveFileUnder(root, candidate);
    if (resolvedFile !== undefined) {
      return [resolvedFile];
    }
  }
  throw new Error(
    source.provider.toUpperCase() === 'CSV'
      ? `no such file: ${tableId}`
      : `the sandbox can't connect to ${source.provider} sources, and it has no file ${tableId}.csv`,
  );
}

/** Yields all items except the last `count`. */
function* skipLast<T>(items: Iterable<T>, count: number): Generator<T> {
  const buffer: T[] = [];
  for (const item of items) {
    buffer.push(item);
    if (buffer.length > count) {
      yield buffer.shift() as T;
    }
  }
}

/** Reads the header of a file, if it has one, and returns an iterable of its rows. */
export function readCsv(
  file: string,
  source: CsvSource,
): { readonly header: readonly CsvCell[] | undefined; readonly rows: Iterable<CsvCell[]> } {
  const lines = readCsvLines(file, source.format);
  for (let skipped = 0; skipped < source.ignoreFirstRows; skipped += 1) {
    lines.next();
  }
  const headerLine = source.hasHeader ? lines.next().value : undefined;
  const header = typeof headerLine === 'string' ? splitCsvLine(headerLine, source.format) : undefined;
  const { excludeIfBegins: excludedPrefix, excludeIfContains: excludedText } = source;
  const rows = function* (): Generator<CsvCell[]> {
    const dataLines = source.ignoreLastRows > 0 ? skipLast(lines, source.ignoreLastRows) : lines;
    for (const line of dataLines) {
      const isExcluded =
        (excludedPrefix !== '' && line.startsWith(excludedPrefix)) ||
        (excludedText !== '' && line.includes(excludedText));
      if (!isExcluded) {
        yield splitCsvLine(line, source.format);
      }
    }
  };
  return { header, rows: rows() };
}
