import type { JSX } from 'preact';
import { getCurrentCell } from '../../security/matrix/matrixDraft.ts';
import type { MatrixColumn } from '../../security/matrix/ruleMatrix.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { getMissingColumnText } from '../shared/missingColumnText.ts';
import { t } from '../shared/t.ts';
import type { VisibleColumn } from './gridRow.tsx';
import { columnWidth } from './gridMetrics.ts';
import { getEveryoneElseCellKey, type MatrixModel } from './matrixModel.ts';

/** The heading of a column, with a warning if its rules do not have the expected effect. */
export function ColumnHeader({
  model,
  column,
  index,
  left,
}: VisibleColumn & { readonly model: MatrixModel }): JSX.Element {
  const { table, column: name } = column;
  const fullName = `${table}.${name}`;
  const problem = getColumnProblem(model, column);
  return (
    <span
      role="columnheader"
      aria-colindex={index + 2}
      aria-label={problem === undefined ? fullName : `${fullName}, ${problem}`}
      class="grid-column"
      style={{ left: `${left}px`, width: `${columnWidth}px` }}
      title={problem === undefined ? fullName : `${fullName}\n${problem}`}
    >
      {problem === undefined ? null : <Icon name="warning" className="warning" />}
      <span class="table-name">{table}.</span>
      <span class="text">{name}</span>
    </span>
  );
}

/** Explains why the rules of a column do not have the expected effect, if so (platform-facts.md, 3.1 and 3.3). */
function getColumnProblem(model: MatrixModel, matrixColumn: MatrixColumn): string | undefined {
  const { table, column } = matrixColumn;
  if (model.catalogNames.value?.isMissing(table, column) === true) {
    return getMissingColumnText(model.data.value);
  }
  const { savedMatrix, draft } = model.visibleMatrix.value;
  return model.columnsWithRules.value.has(matrixColumn.key) &&
    getCurrentCell(draft, savedMatrix, getEveryoneElseCellKey(matrixColumn)).value.length === 0
    ? t('No rule for everyone else. What they see is uncertain.')
    : undefined;
}
