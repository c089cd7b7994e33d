import { cellNow, type MatrixDraft } from '../../security/matrix/matrixDraft.ts';
import {
  cellKey,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
} from '../../security/matrix/ruleMatrix.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { memo } from '../shared/memo.ts';
import { GridCell } from './gridCell.tsx';
import { columnWidth, rowHeight } from './measures.ts';
import { defaultKey } from './model.ts';

/** A column on the screen. */
export interface ShownColumn {
  readonly index: number;
  readonly start: number;
  readonly column: MatrixColumn;
}

interface GridRowProps {
  readonly party: MatrixParty;
  readonly name: string;
  /** The name with the kind of party. */
  readonly label: string;
  readonly index: number;
  readonly top: number;
  readonly width: number;
  readonly columns: readonly ShownColumn[];
  readonly base: RuleMatrix;
  readonly draft: MatrixDraft;
  readonly changed: ReadonlySet<string>;
  readonly conflicts: ReadonlySet<string>;
  /** Keys of the columns that have a rule for anybody. */
  readonly ruled: ReadonlySet<string>;
  /** The columns that are selected in this row; none where the first is behind the last. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  /** The column of the cell with the focus, where it is in this row. */
  readonly active: number | undefined;
}

const icons = { user: 'person', group: 'organization', default: 'globe' } as const;

/** The cells of a party that are on the screen. */
export const GridRow = memo<GridRowProps>((props) => {
  const { party, name, index, columns, base, draft } = props;
  const isDefault = party.type === 'default';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      class={isDefault ? 'grid-row default' : 'grid-row'}
      style={{ height: `${rowHeight}px`, top: `${props.top}px`, width: `${props.width}px` }}
    >
      <span
        role="rowheader"
        aria-colindex={1}
        aria-label={props.label}
        class="grid-party"
        title={party.id === undefined || party.id === name ? name : `${name}\n${party.id}`}
      >
        <Icon name={icons[party.type]} />
        <span class="text">{name}</span>
      </span>
      {columns.map(({ index: at, start, column }) => {
        const key = cellKey(party.key, column.key);
        const { value, fixed } = cellNow(draft, base, key);
        return (
          <GridCell
            key={column.key}
            row={index}
            at={at}
            left={start}
            width={columnWidth}
            value={value}
            other={value.length === 0 ? cellNow(draft, base, defaultKey(column)).value : value}
            isAlone={isDefault || !props.ruled.has(column.key)}
            fixed={fixed}
            isChanged={props.changed.has(key)}
            isConflict={props.conflicts.has(key)}
            isActive={props.active === at}
            isSelected={at >= props.selectedFrom && at <= props.selectedTo}
          />
        );
      })}
    </div>
  );
});
