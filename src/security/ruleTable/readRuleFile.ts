import { decodeText } from '../../base/decodeText.ts';
import { type ParsedRuleTable, parseRuleTable } from './parseRuleTable.ts';

/** Far beyond a hundred thousand rules; a file that is larger is no table of rules. */
export const maxRuleFileBytes = 64 * 1024 * 1024;

/** Rules out of the bytes of a CSV or TSV file. An encoding that had to be guessed is told, with a word to judge it by. */
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
