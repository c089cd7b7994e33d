import { decodeText } from '../../base/decodeText.ts';
import { type ParsedRuleTable, parseRuleTable } from './parseRuleTable.ts';

/** Enough for far more than a hundred thousand rules; a larger file is not a table of rules. */
export const maxRuleFileBytes = 64 * 1024 * 1024;

/** Parses rules from the bytes of a CSV or TSV file. A guessed encoding is reported, with a sample word to check it. */
export function readRuleFile(bytes: Uint8Array): ParsedRuleTable {
  const { text, encoding } = decodeText(bytes);
  const { rules, problems } = parseRuleTable(text);
  if (encoding !== 'Windows-1252') {
    return { rules, problems };
  }
  const [example = ''] = /[\p{L}\p{N}]*[^\p{ASCII}][\p{L}\p{N}]*/u.exec(text) ?? [];
  return {
    rules,
    problems: [{ code: 'guessed-encoding', severity: 'warning', row: 0, args: [example] }, ...problems],
  };
}
