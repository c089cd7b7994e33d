import { type ExpressionContext, findCatalogUsages } from '../../sql/language.ts';
import { unquoteName } from '../../sql/syntax/lexedText.ts';
import { lex } from '../../sql/syntax/lexer.ts';
import type { Token } from '../../sql/syntax/token.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { ProjectItem } from '../item.ts';
import { createInstanceCatalog } from '../pull/instanceCatalog.ts';
import type { ColumnRename, Renamer } from '../pull/renames.ts';

/** The renames of the tables and columns of a datamodel. */
interface Renames {
  readonly tables: readonly { readonly from: string; readonly to: string }[];
  readonly columns: readonly ColumnRename[];
}

/**
 * Creates a function that returns whether a change of SQL does nothing but use the new names of what the same apply
 * renames: once the apply is undone, the SQL of the instance has the former names again, and nothing else is different.
 * @param pulled the items of the instance before the apply
 */
export function createFollowingSqlCheck(
  { renames, columnRenames }: Pick<Renamer, 'renames' | 'columnRenames'>,
  pulled: { readonly items: readonly ProjectItem[] },
): (change: ItemChange) => boolean {
  const getRenames = (datamodel: string): Renames => ({
    tables: renames.flatMap(({ from, to }) =>
      from.kind === 'table' && to.kind === 'table' && to.datamodel === datamodel
        ? [{ from: from.table, to: to.table }]
        : [],
    ),
    columns: columnRenames.filter((rename) => rename.datamodel === datamodel),
  });
  return ({ key, from = key, parts: [part, ...otherParts] }) => {
    if (from.kind !== 'tableExpression' && from.kind !== 'columnExpression') {
      return false;
    }
    const { before, after } = part ?? {};
    const { datamodel, table } = from;
    const { tables, columns } = getRenames(datamodel);
    if (
      tables.length + columns.length === 0 ||
      otherParts.length > 0 ||
      typeof before !== 'string' ||
      typeof after !== 'string'
    ) {
      return false;
    }
    const context: ExpressionContext = {
      catalog: createInstanceCatalog(pulled, datamodel),
      ...(from.kind === 'tableExpression' ? { kind: 'table' } : { kind: 'column', table }),
    };
    return differsOnlyInNames(before, after, createNameCheck({ tables, columns }, before, context));
  };
}

/** Returns whether a name in the former SQL may have become another name because of a rename. */
type NameCheck = (former: Token, formerName: string, name: string) => boolean;

/** Creates a {@link NameCheck} for SQL of the instance: a name has to refer to what is renamed. */
function createNameCheck({ tables, columns }: Renames, sql: string, context: ExpressionContext): NameCheck {
  const usages = new Map(findCatalogUsages(sql, context).map((usage) => [usage.start, usage]));
  const isRename = (
    rename: { readonly from: string; readonly to: string },
    formerName: string,
    name: string,
  ): boolean => isSameName(rename.from, formerName) && isSameName(rename.to, name);
  return ({ start }, formerName, name) => {
    const usage = usages.get(start);
    if (usage !== undefined && usage.column === undefined) {
      return tables.some((rename) => isRename(rename, formerName, name));
    }
    return columns.some(
      (rename) =>
        // The table isn't known for the output of a subquery, for example.
        (usage === undefined || isSameName(rename.table, usage.table.name)) &&
        isRename(rename, formerName, name),
    );
  };
}

const isSameName = (name: string, other: string): boolean => name.toLowerCase() === other.toLowerCase();

/**
 * Returns whether two texts of SQL are the same, comments and white space included, except for names that have their
 * new name in the second one. There, a rename may also have added the former name of a column as its alias.
 */
function differsOnlyInNames(before: string, after: string, isRenamed: NameCheck): boolean {
  const [formerTokens, tokens] = [[...lex(before).tokens], [...lex(after).tokens]];
  let [index, formerEnd, end] = [0, 0, 0];
  for (const [formerIndex, former] of formerTokens.entries()) {
    const token = tokens[index];
    if (token === undefined || before.slice(formerEnd, former.start) !== after.slice(end, token.start)) {
      return false;
    }
    index += 1;
    [formerEnd, end] = [former.end, token.end];
    if (before.slice(former.start, former.end) === after.slice(token.start, token.end)) {
      continue;
    }
    const [formerName, name] = [getName(before, former), getName(after, token)];
    if (formerName === undefined || name === undefined || !isRenamed(former, formerName, name)) {
      return false;
    }
    const [as, alias] = tokens.slice(index, index + 2);
    if (
      as?.symbol === 'AS' &&
      alias !== undefined &&
      getName(after, alias) === formerName &&
      formerTokens[formerIndex + 1]?.symbol !== 'AS'
    ) {
      index += 2;
      end = alias.end;
    }
  }
  return index === tokens.length;
}

const getName = (text: string, token: Token): string | undefined =>
  token.kind === 'word' || token.kind === 'quotedName' ? unquoteName(text, token) : undefined;
