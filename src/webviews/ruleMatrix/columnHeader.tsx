import type { JSX } from 'preact';
import { getCurrentCell } from '../../security/matrix/matrixDraft.ts';
import type { MatrixColumn } from '../../security/matrix/ruleMatrix.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { VisibleColumn } from './gridRow.tsx';
import { columnWidth } from './gridMetrics.ts';
import { getDefaultCellKey, type MatrixModel } from './matrixModel.ts';

/** The heading of a column, with a warning if its rules do not have the expected effect. */
export function ColumnHeader({
  model,
  column,
  index,
  start,
}: VisibleColumn & { readonly model: MatrixModel }): JSX.Element {
  const { table, column: name } = column;
  const full = `${table}.${name}`;
  const problem = getColumnProblem(model, column);
  return (
    <span
      role="columnheader"
      aria-colindex={index + 2}
      aria-label={problem === undefined ? full : `${full}, ${problem}`}
      class="grid-column"
      style={{ left: `${start}px`, width: `${columnWidth}px` }}
      title={problem === undefined ? full : `${full}\n${problem}`}
    >
      {problem === undefined ? null : <Icon name="warning" kind="warning" />}
      <span class="table-name">{table}.</span>
      <span class="text">{name}</span>
    </span>
  );
}

/** Explains why the rules of a column do not have the expected effect, if so (platform-facts.md, 3.1 and 3.3). */
function getColumnProblem(model: MatrixModel, own: MatrixColumn): string | undefined {
  const { table, column } = own;
  if (model.catalogNames.value?.isMissing(table, column) === true) {
    return t('No such column: its rules protect nothing.');
  }
  const { base, draft } = model.visible.value;
  return model.cellsWithRules.value.has(own.key) &&
    getCurrentCell(draft, base, getDefaultCellKey(own)).value.length === 0
    ? t('No rule for everyone else: what they see is not certain.')
    : undefined;
}
