import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { getFormPartyKey } from '../../security/form/readRuleFields.ts';
import type { FormParty } from '../../security/form/ruleEdit.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { gridScrollerAttributes } from '../shared/gridScroller.ts';
import { t } from '../shared/t.ts';
import { useVirtualRows } from '../shared/useVirtualRows.ts';
import {
  type RuleCell,
  toCellKey,
  describeRule,
  type RuleFormColumn,
  type RuleFormModel,
} from './ruleFormModel.ts';

const rowHeight = 26;
const partyIcons = { user: 'person', group: 'organization', default: 'globe' } as const;
const ruleKindIcons = {
  everything: 'check-all',
  nothing: 'circle-slash',
  only: 'filter',
  except: 'exclude',
} as const;

/** The matrix of rules, with parties as rows and columns of the datamodel as columns. Arrow keys move between cells. */
export function MatrixGrid({ form }: { readonly form: RuleFormModel }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const { parties, columns } = form.matrix.value;
  const rows = useVirtualRows(scroller, parties.length, rowHeight);
  const cell = form.selectedCell.value;
  const activePosition = {
    row: parties.findIndex((party) => getFormPartyKey(party) === cell?.party),
    column: columns.findIndex(({ key }) => key === cell?.column),
  };
  const moveTo = (row: number, column: number): void => {
    const party = parties[Math.min(Math.max(row, 0), parties.length - 1)];
    const targetColumn = columns[Math.min(Math.max(column, 0), columns.length - 1)];
    if (party !== undefined && targetColumn !== undefined) {
      form.selectedCell.value = { party: getFormPartyKey(party), column: targetColumn.key };
      rows.reveal(parties.indexOf(party));
      scroller.current?.parentElement
        ?.querySelector(`[data-column="${columns.indexOf(targetColumn)}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const targets: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [activePosition.row + 1, activePosition.column],
      ArrowUp: [activePosition.row - 1, activePosition.column],
      ArrowRight: [activePosition.row, activePosition.column + 1],
      ArrowLeft: [activePosition.row, activePosition.column - 1],
      Home: [activePosition.row, 0],
      End: [activePosition.row, columns.length - 1],
    };
    const target = targets[event.key];
    if (target !== undefined) {
      moveTo(...target);
      event.preventDefault();
    }
  };
  const gridTemplateColumns = `200px repeat(${columns.length}, minmax(140px, 1fr))`;
  return (
    <div
      class="matrix"
      role="grid"
      aria-label={t('Rules')}
      aria-rowcount={parties.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={
        activePosition.row >= 0 && activePosition.column >= 0
          ? getCellId(activePosition.row, activePosition.column)
          : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="matrix-body" ref={scroller} role="rowgroup" {...gridScrollerAttributes}>
        <div
          class="matrix-inner"
          role="presentation"
          style={{ minWidth: `${200 + columns.length * 140}px`, height: `${rows.totalSize + rowHeight}px` }}
        >
          <div class="matrix-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns }}>
            <span role="columnheader" class="matrix-party">
              {t('User or group')}
            </span>
            {columns.map(({ key, table, column }, index) => (
              <span role="columnheader" key={key} data-column={index} title={`${table}.${column}`}>
                <span class="table-name">{table}.</span>
                <span class="text">{column}</span>
              </span>
            ))}
          </div>
          {rows.items.map(({ index, start }) => {
            const party = parties[index];
            return party === undefined ? null : (
              <MatrixRow
                key={getFormPartyKey(party)}
                form={form}
                party={party}
                columns={columns}
                index={index}
                activeColumn={activePosition.row === index ? activePosition.column : -1}
                gridTemplateColumns={gridTemplateColumns}
                start={start + rowHeight}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const getCellId = (row: number, column: number): string => `cell-${row}-${column}`;

function MatrixRow(props: {
  readonly form: RuleFormModel;
  readonly party: FormParty;
  readonly columns: readonly RuleFormColumn[];
  readonly index: number;
  readonly activeColumn: number;
  readonly gridTemplateColumns: string;
  readonly start: number;
}): JSX.Element {
  const { form, party, index } = props;
  const name = form.getPartyName(party);
  return (
    <div
      class="matrix-row"
      role="row"
      aria-rowindex={index + 2}
      style={{
        gridTemplateColumns: props.gridTemplateColumns,
        transform: `translateY(${props.start}px)`,
        height: `${rowHeight}px`,
      }}
    >
      <span role="rowheader" class="matrix-party" title={party.id ?? name}>
        <Icon name={partyIcons[party.type]} />
        <span class="text">{name}</span>
      </span>
      {props.columns.map((column, columnIndex) => (
        <MatrixCellView
          key={column.key}
          form={form}
          cell={{ party: getFormPartyKey(party), column: column.key }}
          id={getCellId(index, columnIndex)}
          isActive={props.activeColumn === columnIndex}
        />
      ))}
    </div>
  );
}

function MatrixCellView(props: {
  readonly form: RuleFormModel;
  readonly cell: RuleCell;
  readonly id: string;
  readonly isActive: boolean;
}): JSX.Element {
  const { form, cell } = props;
  const ruleIndexes = form.matrix.value.rules.get(toCellKey(cell)) ?? [];
  const [firstRuleIndex] = ruleIndexes;
  const rule = firstRuleIndex === undefined ? undefined : form.rules.value[firstRuleIndex];
  const problem = ruleIndexes
    .flatMap((ruleIndex) => form.problemsByRule.value.get(ruleIndex) ?? [])
    .find(({ severity }) => severity !== 'information');
  return (
    <span
      role="gridcell"
      id={props.id}
      class={props.isActive ? 'matrix-cell active' : 'matrix-cell'}
      aria-selected={props.isActive}
      onClick={() => {
        form.selectedCell.value = cell;
      }}
    >
      {rule === undefined ? (
        <span class="muted">
          <span aria-hidden="true">–</span>
          <span class="sr-only">{t('no rule')}</span>
        </span>
      ) : (
        <>
          {problem === undefined ? (
            <Icon name={ruleKindIcons[rule.ruleKind]} className={`verdict-${rule.ruleKind}`} />
          ) : (
            <Icon name={problem.severity} className={problem.severity} />
          )}
          <span class="text" title={problem?.message ?? rule.members.slice(0, 20).join(', ')}>
            {ruleIndexes.length > 1 ? t('{0} rules', ruleIndexes.length) : describeRule(rule)}
          </span>
        </>
      )}
    </span>
  );
}
