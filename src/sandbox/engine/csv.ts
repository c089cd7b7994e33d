import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** A cell: `null` is an empty cell without quotes, `''` an empty cell with quotes. */
export type CsvCell = string | null;

export interface CsvFormat {
  readonly delimiter: string;
  /** The quote character; `''` when cells are never quoted. */
  readonly quote: string;
}

const chunkBytes = 1 << 18;

/** Yields the text of a file in chunks, decoded as UTF-8, without its byte order mark. */
function* readText(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(chunkBytes);
    const decoder = new StringDecoder('utf8');
    let first = true;
    for (let read = readSync(handle, bytes); read > 0; read = readSync(handle, bytes)) {
      const text = decoder.write(bytes.subarray(0, read));
      yield first ? text.replace(/^\uFEFF/, '') : text;
      first = false;
    }
    yield decoder.end();
  } finally {
    closeSync(handle);
  }
}

/** Yields the lines of a file, split at line feeds only. */
function* readPieces(file: string): Generator<string> {
  let rest = '';
  for (const text of readText(file)) {
    const pieces = (rest + text).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
  yield rest;
}

/** Returns true if the line contains an odd number of quotes, so that it starts or ends a cell with line breaks. */
function togglesQuote(text: string, quote: string): boolean {
  let odd = false;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    odd = !odd;
  }
  return odd;
}

const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Yields one text per row: a quoted cell may contain line breaks. Skips empty lines. */
function* readLogicalLines(file: string, quote: string): Generator<string> {
  let open: string[] | undefined;
  for (const piece of readPieces(file)) {
    const toggles = quote !== '' && togglesQuote(piece, quote);
    if (open === undefined && !toggles) {
      const line = stripCarriageReturn(piece);
      if (line !== '') {
        yield line;
      }
      continue;
    }
    open ??= [];
    open.push(piece);
    if (open.length > 1 && toggles) {
      yield stripCarriageReturn(open.join('\n'));
      open = undefined;
    }
  }
  if (open !== undefined) {
    // An unclosed quote: the rest of the file becomes one row instead of being lost.
    yield open.join('\n');
  }
}

function splitQuotedLine(line: string, { delimiter, quote }: CsvFormat): CsvCell[] {
  const cells: CsvCell[] = [];
  let at = 0;
  while (at <= line.length) {
    if (!line.startsWith(quote, at)) {
      const end = line.indexOf(delimiter, at);
      const cell = line.slice(at, end < 0 ? line.length : end);
      cells.push(cell === '' ? null : cell);
      if (end < 0) {
        break;
      }
      at = end + delimiter.length;
      continue;
    }
    let cell = '';
    let from = at + quote.length;
    let close = line.indexOf(quote, from);
    while (close >= 0 && line.startsWith(quote, close + quote.length)) {
      cell += line.slice(from, close + quote.length);
      from = close + 2 * quote.length;
      close = line.indexOf(quote, from);
    }
    cell += line.slice(from, close < 0 ? line.length : close);
    const after = close < 0 ? line.length : close + quote.length;
    const end = line.indexOf(delimiter, after);
    cells.push(cell + line.slice(after, end < 0 ? line.length : end));
    if (end < 0) {
      break;
    }
    at = end + delimiter.length;
  }
  return cells;
}

export function splitCsvLine(line: string, format: CsvFormat): CsvCell[] {
  if (format.quote !== '' && line.includes(format.quote)) {
    return splitQuotedLine(line, format);
  }
  return line.split(format.delimiter).map((cell) => (cell === '' ? null : cell));
}

/**
 * Reads the rows of a CSV file lazily, so that the file may be larger than memory.
 * @throws the file system's error when the file cannot be read.
 */
export function readCsvLines(file: string, format: CsvFormat): Generator<string> {
  return readLogicalLines(file, format.quote);
}
