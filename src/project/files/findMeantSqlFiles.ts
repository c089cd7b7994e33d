import { itemSuffixes } from '../paths.ts';
import { type ExpressionReference, fileMember } from './itemFile.ts';
import { type MisspelledName, findMeantNames } from './misspelledName.ts';
import { createSqlReference, resolveSqlReference } from './sqlReference.ts';

/**
 * Finds the files that were probably meant by a reference to a file that doesn't exist; `undefined` if none is similar.
 * @param paths the files with SQL that no table refers to
 */
export function findMeantSqlFiles(
  { tablePath, file, path }: Pick<ExpressionReference, 'file' | 'path'> & { readonly tablePath: string },
  paths: readonly string[],
): MisspelledName | undefined {
  const folder = resolveSqlReference(tablePath, '').normalize('NFC');
  const stems = paths
    .filter((candidate) => candidate.normalize('NFC').startsWith(folder))
    .map((candidate) => removeSuffix(createSqlReference(tablePath, candidate)));
  const unknown = { name: removeSuffix(file), path: [...path, fileMember] };
  const meant = findMeantNames(unknown, stems);
  return (
    meant && {
      ...meant,
      name: file,
      candidates: meant.candidates.map((stem) => `${stem}${itemSuffixes.tableExpression}`),
    }
  );
}

/** All references end with the same suffix, so it would make names similar. */
const removeSuffix = (file: string): string => file.slice(0, -itemSuffixes.tableExpression.length);
