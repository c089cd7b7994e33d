import * as vscode from 'vscode';
import type { Meaning, RenameConflict } from '../../sql/language.ts';

const t = vscode.l10n.t;

interface ConflictContext {
  readonly newName: string;
  /** Returns the line number of an offset, starting at 1. */
  readonly getLine: (start: number) => number;
}

/** Describes why a name cannot be used: which name would change its meaning, and in which line. */
export function describeRenameConflict(
  { kind, name, start, before, after }: RenameConflict,
  context: ConflictContext,
): string {
  const { newName, getLine } = context;
  const line = getLine(start);
  switch (kind) {
    case 'captured':
      return t(
        'Can\'t rename to "{0}": "{1}" on line {2} refers to {3} and would refer to {4}.',
        newName,
        name,
        line,
        describeMeaning(before, getLine),
        describeMeaning(after, getLine),
      );
    case 'duplicate':
      return t('Can\'t rename to "{0}": the query on line {1} already uses that name.', newName, line);
    case 'joined':
      return t(
        'Can\'t rename to "{0}": the join with "{1}" on line {2} would use different columns.',
        newName,
        name,
        line,
      );
    case 'unreadable':
      return t('Can\'t rename to "{0}": the text can\'t be parsed with that name.', newName);
  }
}

function describeMeaning({ kind, name, table, start }: Meaning, getLine: (start: number) => number): string {
  const line = start === undefined ? undefined : getLine(start);
  switch (kind) {
    case 'table':
      return t('the table "{0}"', name);
    case 'column':
      return t('the column "{0}" of "{1}"', name, table ?? '');
    case 'alias':
      return line === undefined ? t('the alias "{0}"', name) : t('the alias "{0}" on line {1}', name, line);
    case 'cte':
      return line === undefined
        ? t('the WITH query "{0}"', name)
        : t('the WITH query "{0}" on line {1}', name, line);
    case 'result':
      return line === undefined ? t('the column "{0}"', name) : t('the column "{0}" on line {1}', name, line);
    case 'ambiguous':
      return t('columns of several tables');
    case 'nothing':
      return t('an unknown name');
  }
}
