import { composeItemFile } from '../../../../src/project/files/itemFile.ts';
import { formatJsonFile } from '../../../../src/project/files/jsonFile.ts';
import { createSqlReference } from '../../../../src/project/files/sqlReference.ts';
import { formatItemKey, type ProjectItem } from '../../../../src/project/item.ts';
import { assignPaths } from '../../../../src/project/paths.ts';
import { formatSqlFile } from '../../../../src/project/sqlText.ts';

/** Returns the texts of the files that items have in a new project. */
export function createProjectTexts(items: readonly ProjectItem[]): Map<string, string> {
  const paths = assignPaths(items.map(({ key }) => key));
  const getPath = ({ key }: ProjectItem): string => paths.get(formatItemKey(key)) ?? '';
  return new Map(
    items.map((item): [string, string] => {
      const { key, content } = item;
      if (typeof content === 'string') {
        return [getPath(item), formatSqlFile(content)];
      }
      const references = items.flatMap((other): [string | undefined, string][] =>
        key.kind === 'table' &&
        (other.key.kind === 'tableExpression' || other.key.kind === 'columnExpression') &&
        other.key.datamodel === key.datamodel &&
        other.key.table === key.table
          ? [
              [
                other.key.kind === 'columnExpression' ? other.key.column : undefined,
                createSqlReference(getPath(item), getPath(other)),
              ],
            ]
          : [],
      );
      return [getPath(item), formatJsonFile(composeItemFile(item, new Map(references)))];
    }),
  );
}
