import type { CellValue } from '../../security/matrix/cellText.ts';
import { getInheritedAccess } from '../../security/matrix/inheritedAccess.ts';
import { getCurrentCell, type MatrixDraft } from '../../security/matrix/matrixDraft.ts';
import {
  getCellKey,
  type MatrixColumn,
  type MatrixParty,
  type RuleMatrix,
} from '../../security/matrix/ruleMatrix.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { memo } from '../shared/memo.ts';
import { t } from '../shared/t.ts';
import { describeCellShort } from './describeCell.ts';
import { GridCell } from './gridCell.tsx';
import { columnWidth, rowHeight } from './gridMetrics.ts';
import type { PartyDirectory } from './partyDirectory.ts';

/** A rendered column, with its index and its horizontal position in pixels. */
export interface VisibleColumn {
  readonly index: number;
  readonly left: number;
  readonly column: MatrixColumn;
}

interface GridRowProps {
  readonly party: MatrixParty;
  readonly name: string;
  /** The label for screen readers: the name with the type of the party. */
  readonly label: string;
  readonly index: number;
  readonly top: number;
  readonly width: number;
  readonly columns: readonly VisibleColumn[];
  readonly savedMatrix: RuleMatrix;
  readonly draft: MatrixDraft;
  readonly changedCellKeys: ReadonlySet<string>;
  readonly conflictingCellKeys: ReadonlySet<string>;
  readonly cellProblems: ReadonlyMap<string, 'error' | 'warning'>;
  /** Keys of the columns that have a rule for any party. */
  readonly columnsWithRules: ReadonlySet<string>;
  /** Keys of the columns that have a rule for a group. */
  readonly columnsWithGroupRules: ReadonlySet<string>;
  /** The groups of a user; `undefined` if they are not reported. */
  readonly groupIds: readonly string[] | undefined;
  readonly partyDirectory: PartyDirectory;
  /** The range of selected columns in this row, both inclusive; empty if the first is greater than the last. */
  readonly firstSelectedColumn: number;
  readonly lastSelectedColumn: number;
  /** The column of the active cell, if it is in this row. */
  readonly activeColumn: number | undefined;
}

const partyIcons = { user: 'person', group: 'organization', default: 'globe' } as const;

/** The row of a party, with the cells of the rendered columns. */
export const GridRow = memo<GridRowProps>((props) => {
  const { party, name, index, columns, savedMatrix, draft } = props;
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
        <Icon name={partyIcons[party.type]} />
        <span class="text">{name}</span>
      </span>
      {columns.map(({ index: columnIndex, left, column }) => {
        const key = getCellKey(party.key, column.key);
        const { value, readOnlyReason } = getCurrentCell(draft, savedMatrix, key);
        return (
          <GridCell
            key={column.key}
            row={index}
            column={columnIndex}
            left={left}
            width={columnWidth}
            value={value}
            inheritedText={value.length === 0 ? describeInheritedAccess(props, column) : ''}
            readOnlyReason={readOnlyReason}
            problem={props.cellProblems.get(key)}
            isChanged={props.changedCellKeys.has(key)}
            isConflict={props.conflictingCellKeys.has(key)}
            isActive={props.activeColumn === columnIndex}
            isSelected={columnIndex >= props.firstSelectedColumn && columnIndex <= props.lastSelectedColumn}
          />
        );
      })}
    </div>
  );
});

/** Describes the access in a cell without a rule: that of the user's groups, or of the rule for everyone else. */
function describeInheritedAccess(props: GridRowProps, { key }: MatrixColumn): string {
  const { party, savedMatrix, draft, partyDirectory } = props;
  if (party.type === 'default' || !props.columnsWithRules.has(key)) {
    return t('no rule');
  }
  const getCellValue = (cellKey: string): CellValue => getCurrentCell(draft, savedMatrix, cellKey).value;
  const inherited = getInheritedAccess(
    party,
    key,
    getCellValue,
    props.groupIds,
    props.columnsWithGroupRules.has(key),
  );
  switch (inherited.kind) {
    case 'groups-unknown':
      return t('groups unknown');
    case 'groups': {
      const groups = inherited.groups.map((group) => partyDirectory.getName(group)).join(', ');
      return t('{0}: {1}', groups, describeCellShort(inherited.value));
    }
    case 'default':
      // Without a rule for everyone else, it isn't documented what they see (platform-facts.md, 3.3).
      return inherited.value.length === 0
        ? t('uncertain')
        : t('everyone else: {0}', describeCellShort(inherited.value));
  }
}
