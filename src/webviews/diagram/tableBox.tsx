import type { DiagramColumn, DiagramTable } from '../diagramLayout/diagramModel.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import { canExpand, boxMetrics, getVisibleColumns } from '../diagramLayout/boxMetrics.ts';
import { memo } from '../shared/memo.ts';
import { t } from '../shared/t.ts';
import { getBadgeLabels, formatMoreColumns } from './labels.ts';

interface TableBoxProps {
  readonly table: DiagramTable;
  readonly box: Rect;
  /** The label for screen readers. */
  readonly label: string;
  /** The value of `data-vscode-context`: the arguments of the commands in the context menu, as JSON. */
  readonly context: string;
  readonly isExpanded: boolean;
  readonly isSelected: boolean;
  readonly isRelated: boolean;
  readonly isFound: boolean;
  /** True if the scale is too small to read rows: only the name is drawn. */
  readonly isZoomedOut: boolean;
  /** The column found by the search. */
  readonly foundColumn: string | undefined;
  /** The IDs of the highlighted columns of relations, one per line. */
  readonly joinedColumns: string;
  /** The range of rows to render; `lastRow` is exclusive. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/** A table in the diagram. The canvas handles its events, and finds the target by `data-table` and `data-column`. */
export const TableBox = memo<TableBoxProps>((props) => {
  const { table, box, isExpanded, isZoomedOut, context, label } = props;
  const classes = [
    'table',
    ...(['isSelected', 'isRelated', 'isFound', 'isZoomedOut'] as const).filter((name) => props[name]),
    ...(table.isHidden ? ['isHidden'] : []),
    ...(table.isCustom ? ['isCustom'] : []),
  ];
  return (
    <div
      class={classes.join(' ')}
      role="group"
      aria-label={label}
      tabIndex={props.isSelected ? 0 : -1}
      data-table={table.id}
      data-vscode-context={context}
      style={{
        transform: `translate(${box.x}px, ${box.y}px)`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      }}
    >
      <div class="name">
        <span
          class={`codicon codicon-${table.isCustom ? 'code' : 'table'}`}
          title={table.isCustom ? t('Custom table') : t('Table')}
        />
        <button type="button" class="title" tabIndex={-1} title={table.name} data-action="open">
          {table.name}
        </button>
        <BadgeList item={table} />
      </div>
      {isZoomedOut ? null : <Rows {...props} />}
      {isZoomedOut || !canExpand(table) ? null : (
        <button type="button" class="footer" tabIndex={-1} data-action="toggle" aria-expanded={isExpanded}>
          <span class={`codicon codicon-chevron-${isExpanded ? 'up' : 'down'}`} aria-hidden="true" />
          {isExpanded
            ? t('Key columns only')
            : formatMoreColumns(table.columns.length - getVisibleColumns(table, false).length)}
        </button>
      )}
    </div>
  );
});

function Rows({ table, isExpanded, firstRow, lastRow, foundColumn, joinedColumns, context }: TableBoxProps) {
  const visibleColumns = getVisibleColumns(table, isExpanded);
  const joinedColumnIds = new Set(joinedColumns.split('\n'));
  return (
    <div class="rows" style={{ height: `${visibleColumns.length * boxMetrics.row}px` }}>
      {visibleColumns.slice(firstRow, lastRow).map((column, index) => (
        <div
          key={column.id}
          class={[
            'column',
            ...(column.isHidden ? ['isHidden'] : []),
            ...(column.id === foundColumn ? ['isFound'] : []),
            ...(joinedColumnIds.has(column.id) ? ['isJoined'] : []),
            ...(column.canRelate ? ['canRelate'] : []),
          ].join(' ')}
          style={{ transform: `translateY(${(firstRow + index) * boxMetrics.row}px)` }}
          title={[column.name, column.type ?? '', ...getBadgeLabels(column)]
            .filter((label) => label !== '')
            .join(', ')}
          data-column={column.id}
          data-vscode-context={createColumnMenuContext(context, table, column)}
        >
          <span
            class={
              column.isInRelation
                ? 'codicon codicon-key'
                : column.isCustom
                  ? 'codicon codicon-code'
                  : 'codicon'
            }
            aria-hidden="true"
          />
          <span class="label">{column.name}</span>
          <BadgeList item={column} />
          <span class="type">{column.type}</span>
        </div>
      ))}
    </div>
  );
}

function BadgeList({ item }: { readonly item: DiagramTable | DiagramColumn }) {
  return (
    <>
      {item.isHidden ? <Badge icon="eye-closed" label={t('Hidden')} /> : null}
      {item.isSecured ? <Badge icon="shield" label={t('Secured by rules')} /> : null}
    </>
  );
}

const Badge = ({ icon, label }: { readonly icon: string; readonly label: string }) => (
  <span class={`mark codicon codicon-${icon}`} role="img" aria-label={label} title={label} />
);

/** Creates the context menu arguments of a column, which include those of its table. */
function createColumnMenuContext(context: string, table: DiagramTable, column: DiagramColumn): string {
  const tableContext: object = JSON.parse(context);
  if (!('webviewSection' in tableContext)) {
    return context;
  }
  return JSON.stringify({
    ...tableContext,
    webviewSection: column.isSecured ? 'column.secured' : 'column',
    ends: [{ table: table.id, ...(column.canRelate ? { column: column.id } : {}) }],
  });
}
