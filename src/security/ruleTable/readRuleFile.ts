import { decodeText } from '../../base/decodeText.ts';
import { type ParsedRuleTable, parseRuleTable } from './parseRuleTable.ts';

/** The maximum size of a file: enough for far more than a hundred thousand rules. */
export const maxRuleFileBytes = 64 * 1024 * 1024;

/**
 * Parses rules from a CSV or TSV file. A guessed encoding is reported with a sample word, so that the user can check.
 */
export function readRuleFile(bytes: Uint8Array): ParsedRuleTable {
  const { text, encoding } = decodeText(bytes);
  const table = parseRuleTable(text);
  if (encoding !== 'Windows-1252') {
    return table;
  }
  const [example = ''] = /[\p{L}\p{N}]*[^\p{ASCII}][\p{L}\p{N}]*/u.exec(text) ?? [];
  return {
    ...table,
    problems: [{ code: 'guessed-encoding', severity: 'warning', row: 0, args: [example] }, ...table.problems],
  };
}
