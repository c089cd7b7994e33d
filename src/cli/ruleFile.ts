import { readFile, stat } from 'node:fs/promises';
import type { RuleSource } from '../bulkRules/ruleSource.ts';
import { mostRuleFileBytes, readRuleFile } from '../security/ruleTable/readRuleFile.ts';
import { Refusal } from './exitCodes.ts';

/**
 * The rules of a CSV or TSV file. Nobody looks at them before they are written, so names must lead to somebody.
 * @throws Refusal where the file cannot be read; what is wrong in it is in the problems of the source
 */
export async function ruleFile(path: string): Promise<RuleSource> {
  const parsed = readRuleFile(await bytesOf(path));
  return { read: async () => ({ ...parsed, refused: [] }) };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > mostRuleFileBytes) {
      throw new Refusal(
        `FILE is larger than ${mostRuleFileBytes / 1024 / 1024} MB: it is not a table of rules.`,
      );
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof Refusal) {
      throw error;
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Refusal(`FILE cannot be read${code}.`);
  }
}
