import { readFile, stat } from 'node:fs/promises';
import type { RuleSource } from '../changes/bulkRules/ruleSource.ts';
import { maxRuleFileBytes, readRuleFile } from '../security/ruleTable/readRuleFile.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ImportModeOption } from './importModes.ts';
import { formatFileError } from './formatFileError.ts';

/**
 * Loads the rules of a CSV or TSV file. The users and groups in them are looked up later, by the preview of the change.
 * @throws CommandRefusedError if the file can't be read, or has no rules and would replace all; other problems in the
 * file are returned with its rules
 */
export async function loadRuleFile(path: string, mode: ImportModeOption): Promise<RuleSource> {
  const parsed = readRuleFile(await readBytes(path));
  // A file without rules is probably the result of a failed export, and without rules everyone sees all data.
  if (mode === 'replace-all' && parsed.rules.length === 0 && !parsed.problems.some(isError)) {
    throw new CommandRefusedError(
      'The file contains no rules. With --mode replace-all, every rule would be deleted and everyone would see all data. If this is intended, delete the rules in the editor.',
    );
  }
  return { readRules: async () => ({ ...parsed, warnings: [] }) };
}

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error';

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > maxRuleFileBytes) {
      throw new CommandRefusedError(
        `The file is too large. The maximum size is ${maxRuleFileBytes / 1024 / 1024} MB.`,
      );
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandRefusedError) {
      throw error;
    }
    throw new CommandRefusedError(`Can't read the file to import. ${formatFileError(error)}`);
  }
}
