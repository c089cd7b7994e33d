import type { MatrixCell } from '../../security/matrix/ruleMatrix.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { memo } from '../shared/memo.ts';
import { t } from '../shared/t.ts';
import { describeCell } from './describeCell.ts';

export const getGridCellId = (row: number, column: number): string => `cell-${row}-${column}`;

interface GridCellProps {
  readonly row: number;
  readonly column: number;
  readonly left: number;
  readonly width: number;
  readonly value: MatrixCell['value'];
  /** The description of the access that applies if the cell has no rule. */
  readonly inheritedText: string;
  readonly readOnlyReason: MatrixCell['readOnlyReason'];
  readonly problem: 'error' | 'warning' | undefined;
  readonly isChanged: boolean;
  readonly isConflict: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
}

/** A cell of the grid. */
export const GridCell = memo<GridCellProps>((props) => {
  const { row, column, value, isChanged, isConflict, isActive, isSelected, readOnlyReason } = props;
  const { icon, kind, text, count } = describeCell(value);
  const flags = [
    isChanged ? ' changed' : '',
    isConflict ? ' conflict' : '',
    isActive ? ' active' : '',
    isSelected ? ' selected' : '',
  ];
  return (
    <span
      role="gridcell"
      id={getGridCellId(row, column)}
      data-row={row}
      data-column={column}
      aria-colindex={column + 2}
      aria-selected={isSelected}
      aria-readonly={readOnlyReason !== undefined}
      tabIndex={isActive ? 0 : -1}
      class={`grid-cell${flags.join('')}`}
      style={{ left: `${props.left}px`, width: `${props.width}px` }}
    >
      {props.problem === undefined ? null : <Icon name={props.problem} className={props.problem} />}
      {isConflict ? <Icon name="git-merge" className="warning" /> : null}
      {readOnlyReason === undefined ? null : <Icon name="lock" className="muted" />}
      {value.length === 0 ? (
        <span class="text muted">{props.inheritedText}</span>
      ) : (
        <>
          <Icon name={icon} className={`verdict-${kind}`} />
          <span class="text">{text}</span>
          {count === undefined ? null : <span class="value-count">{t('({0} values)', count)}</span>}
        </>
      )}
      {isChanged && !isConflict ? <span class="sr-only">{t('(changed)')}</span> : null}
      {isConflict ? <span class="sr-only">{t('(changed here and elsewhere)')}</span> : null}
      {readOnlyReason === undefined ? null : <span class="sr-only">{t('(read-only)')}</span>}
    </span>
  );
});
