import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import { getBottom, overlaps, type Rect } from '../diagramLayout/geometry.ts';
import { boxMetrics, getVisibleColumns } from '../diagramLayout/boxMetrics.ts';
import { getRenderedRect } from '../diagramLayout/viewport.ts';
import { t } from '../shared/t.ts';
import { handleCanvasKey } from './keyboard.ts';
import { PendingLine, Lines } from './lines.tsx';
import { TableBox } from './tableBox.tsx';
import { usePointerHandlers } from './usePointerHandlers.ts';
import type { CanvasProps, DiagramViewProps } from './diagramView.ts';
import { describeRelation, describeTable } from './labels.ts';

/** Below this scale, rows are unreadable, so only table names are drawn. */
const namesOnlyScale = 0.4;

/** The diagram: boxes as HTML elements, with lines as SVG behind them. Only the visible part is rendered. */
export function Canvas(props: CanvasProps) {
  const { data, tables, related, boxes, lines, open, chosen, viewport, relation, match, focus } = props;
  const { view, size } = viewport;
  const pointer = usePointerHandlers(props);
  const isFar = view.scale < namesOnlyScale;
  const { x, y, width, height } = getRenderedRect(view, size);
  const near = chosen === undefined ? undefined : related.get(chosen);
  const joined = useMemo(() => getJoinedColumns(data, chosen, relation), [data, chosen, relation]);
  const contexts = useMemo(
    () => new Map(data.model.tables.map((each) => [each.id, createMenuContext(data, each)])),
    [data],
  );

  // Memoized, so that panning and zooming only transform the elements, and rarely render new ones.
  const world = useMemo(() => {
    const shown = { x, y, width, height };
    const inSight = data.model.tables.flatMap((table) => {
      const box = boxes.get(table.id);
      return box !== undefined && (table.id === chosen || overlaps(box, shown)) ? [{ table, box }] : [];
    });
    return (
      <>
        <Lines {...{ lines, visibleRect: shown, chosen, relation, isFar }} />
        {inSight.map(({ table, box }) => {
          const names = [...(related.get(table.id) ?? [])].map((id) => tables.get(id)?.name ?? '');
          const isOpen = open.has(table.id);
          return (
            <TableBox
              key={table.id}
              {...{ table, box, isOpen, isFar, joinedColumns: joined }}
              {...getVisibleRows(table, box, isOpen, shown)}
              label={describeTable(table, names)}
              context={contexts.get(table.id) ?? '{}'}
              isChosen={table.id === chosen}
              isRelated={near?.has(table.id) === true}
              isFound={match?.table === table.id}
              foundColumn={match?.table === table.id ? match.column : undefined}
            />
          );
        })}
      </>
    );
  }, [x, y, width, height, isFar, data, tables, related, boxes, lines, open, chosen, relation, match]);

  const focused = useRef<object>(undefined);
  useEffect(() => {
    const element = focus && viewport.element?.querySelector(`[data-table="${CSS.escape(focus.table)}"]`);
    if (element instanceof HTMLElement && focused.current !== focus) {
      focused.current = focus;
      element.focus({ preventScroll: true });
    }
  });
  // Registered on the window, so that the shortcut works wherever the focus is.
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      if (event.key === 'f' && (event.ctrlKey || event.metaKey)) {
        document.querySelector<HTMLInputElement>('#search')?.focus();
      }
    };
    window.addEventListener('keydown', focusSearch);
    return () => window.removeEventListener('keydown', focusSearch);
  }, []);

  const pointed = data.model.relations.find(({ id }) => id === relation);
  const line = lines.find((each) => each.relation === relation);
  return (
    <div
      ref={viewport.attach}
      class={`canvas${pointer.isPanning ? ' isPanning' : ''}${pointer.isRelating ? ' isRelating' : ''}`}
      role="application"
      aria-label={t('Picture of {0}', data.place.title)}
      aria-describedby="canvas-help"
      tabIndex={chosen === undefined ? 0 : -1}
      data-vscode-context={JSON.stringify({ preventDefaultContextMenuItems: true })}
      {...pointer.handlers}
      onKeyDown={(event) => {
        if (handleCanvasKey(event, props)) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
    >
      <p id="canvas-help" class="sr-only">
        {t(
          'Arrow keys go from table to table, Enter opens the table, Space shows its columns, R creates a relation. The list shows the same as text.',
        )}
      </p>
      <div class="world" style={{ transform: `scale(${view.scale}) translate(${-view.x}px, ${-view.y}px)` }}>
        {world}
        {pointer.drag === undefined ? null : <PendingLine {...pointer.drag} />}
      </div>
      {pointed === undefined || line === undefined ? null : (
        <p
          class="line-label"
          style={{
            transform: `translate(${(line.middle.x - view.x) * view.scale}px, ${(line.middle.y - view.y) * view.scale}px)`,
          }}
        >
          {describeRelation(pointed, tables)}
        </p>
      )}
    </div>
  );
}

/** The range of rows of a box to render, rounded to multiples of 20, so that scrolling rarely renders the box again. */
function getVisibleRows(table: DiagramTable, box: Rect, isOpen: boolean, shown: Rect) {
  const count = getVisibleColumns(table, isOpen).length;
  const step = 20;
  const above = Math.floor((shown.y - box.y - boxMetrics.header) / boxMetrics.row / step) * step;
  const below = Math.ceil((getBottom(shown) - box.y) / boxMetrics.row / step) * step;
  const clampRow = (row: number): number => Math.min(count, Math.max(0, row));
  return { firstRow: clampRow(above), lastRow: clampRow(below) };
}

/** The IDs of the columns to highlight: those of the hovered relation, else of all relations of the selected table. */
function getJoinedColumns(
  { model }: DiagramViewProps['data'],
  chosen: string | undefined,
  relation: string | undefined,
): string {
  return model.relations
    .filter(({ id, ends }) =>
      relation === undefined ? ends.some(({ table }) => table === chosen) : id === relation,
    )
    .flatMap(({ ends }) => ends.flatMap(({ column }) => column ?? []))
    .join(' ');
}

/** Creates the arguments of the commands in a table's context menu (`contributes.menus`, "webview/context") as JSON. */
function createMenuContext({ place, subject }: DiagramViewProps['data'], table: DiagramTable): string {
  const { connectionId, datamodelId, title } = place;
  return JSON.stringify({
    webviewSection: table.isSecured ? 'table.secured' : 'table',
    preventDefaultContextMenuItems: true,
    connectionId,
    datamodelId,
    title,
    subject,
    resource: { kind: 'table', datamodelId, datasetId: table.datasetId, tableId: table.id },
    name: table.name,
    within: [title, table.dataset],
    ends: [{ table: table.id }],
  });
}
