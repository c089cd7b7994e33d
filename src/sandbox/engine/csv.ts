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
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const decoder = new StringDecoder('utf8');
    let isFirst = true;
    for (let bytesRead = readSync(handle, buffer); bytesRead > 0; bytesRead = readSync(handle, buffer)) {
      const text = decoder.write(buffer.subarray(0, bytesRead));
      yield isFirst ? text.replace(/^\uFEFF/, '') : text;
      isFirst = false;
    }
    yield decoder.end();
  } finally {
    closeSync(handle);
  }
}

/** Yields the lines of a file, split at line feeds only. */
function* readPhysicalLines(file: string): Generator<string> {
  let remainder = '';
  for (const text of readText(file)) {
    const lines = (remainder + text).split('\n');
    remainder = lines.pop() ?? '';
    yield* lines;
  }
  yield remainder;
}

/** Returns true if the line contains an odd number of quotes. Such a line starts or ends a cell with line breaks. */
function hasOddQuoteCount(text: string, quote: string): boolean {
  let isOdd = false;
  for (
    let quoteIndex = text.indexOf(quote);
    quoteIndex >= 0;
    quoteIndex = text.indexOf(quote, quoteIndex + quote.length)
  ) {
    isOdd = !isOdd;
  }
  return isOdd;
}

const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Yields one text per row: a quoted cell may contain line breaks. Skips empty lines. */
function* readLogicalLines(file: string, quote: string): Generator<string> {
  let openLines: string[] | undefined;
  for (const physicalLine of readPhysicalLines(file)) {
    const hasOddQuotes = quote !== '' && hasOddQuoteCount(physicalLine, quote);
    if (openLines === undefined && !hasOddQuotes) {
      const line = stripCarriageReturn(physicalLine);
      if (line !== '') {
        yield line;
      }
      continue;
    }
    openLines ??= [];
    openLines.push(physicalLine);
    if (openLines.length > 1 && hasOddQuotes) {
      yield stripCarriageReturn(openLines.join('\n'));
      openLines = undefined;
    }
  }
  if (openLines !== undefined) {
    // An unclosed quote: the rest of the file becomes one row instead of being lost.
    yield openLines.join('\n');
  }
}

function splitQuotedLine(line: string, { delimiter, quote }: CsvFormat): CsvCell[] {
  const cells: CsvCell[] = [];
  let position = 0;
  while (position <= line.length) {
    if (!line.startsWith(quote, position)) {
      const cellEnd = line.indexOf(delimiter, position);
      const cell = line.slice(position, cellEnd < 0 ? line.length : cellEnd);
      cells.push(cell === '' ? null : cell);
      if (cellEnd < 0) {
        break;
      }
      position = cellEnd + delimiter.length;
      continue;
    }
    let cell = '';
    let segmentStart = position + quote.length;
    let quoteIndex = line.indexOf(quote, segmentStart);
    while (quoteIndex >= 0 && line.startsWith(quote, quoteIndex + quote.length)) {
      cell += line.slice(segmentStart, quoteIndex + quote.length);
      segmentStart = quoteIndex + 2 * quote.length;
      quoteIndex = line.indexOf(quote, segmentStart);
    }
    cell += line.slice(segmentStart, quoteIndex < 0 ? line.length : quoteIndex);
    const afterQuote = quoteIndex < 0 ? line.length : quoteIndex + quote.length;
    const cellEnd = line.indexOf(delimiter, afterQuote);
    cells.push(cell + line.slice(afterQuote, cellEnd < 0 ? line.length : cellEnd));
    if (cellEnd < 0) {
      break;
    }
    position = cellEnd + delimiter.length;
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
