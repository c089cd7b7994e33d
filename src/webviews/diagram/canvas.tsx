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
import type { CanvasProps, DiagramViewProps } from './diagramProps.ts';
import { describeRelation, describeTable } from './labels.ts';

/** Below this scale, rows are unreadable, so only table names are drawn. */
const namesOnlyScale = 0.4;

/** The diagram: boxes as HTML elements, with lines as SVG behind them. Only the visible part is rendered. */
export function Canvas(props: CanvasProps) {
  const {
    data,
    tables,
    relatedTables,
    boxes,
    edges,
    expandedTables,
    selectedId,
    viewport,
    hoveredRelationId,
    match,
    focusRequest,
  } = props;
  const { view, size } = viewport;
  const pointer = usePointerHandlers(props);
  const isZoomedOut = view.scale < namesOnlyScale;
  const { x, y, width, height } = getRenderedRect(view, size);
  const tablesRelatedToSelected = selectedId === undefined ? undefined : relatedTables.get(selectedId);
  const joinedColumns = useMemo(
    () => getJoinedColumns(data, selectedId, hoveredRelationId),
    [data, selectedId, hoveredRelationId],
  );
  const menuContexts = useMemo(
    () => new Map(data.model.tables.map((table) => [table.id, createMenuContext(data, table)])),
    [data],
  );

  // Memoized, so that panning and zooming only transform the elements, and rarely render new ones.
  const diagramElements = useMemo(() => {
    const renderedRect = { x, y, width, height };
    const visibleTables = data.model.tables.flatMap((table) => {
      const box = boxes.get(table.id);
      return box !== undefined && (table.id === selectedId || overlaps(box, renderedRect))
        ? [{ table, box }]
        : [];
    });
    return (
      <>
        <Lines {...{ edges, visibleRect: renderedRect, selectedId, hoveredRelationId, isZoomedOut }} />
        {visibleTables.map(({ table, box }) => {
          const relatedNames = [...(relatedTables.get(table.id) ?? [])].map(
            (id) => tables.get(id)?.name ?? '',
          );
          const isExpanded = expandedTables.has(table.id);
          return (
            <TableBox
              key={table.id}
              {...{ table, box, isExpanded, isZoomedOut, joinedColumns }}
              {...getVisibleRows(table, box, isExpanded, renderedRect)}
              label={describeTable(table, relatedNames)}
              context={menuContexts.get(table.id) ?? '{}'}
              isSelected={table.id === selectedId}
              isRelated={tablesRelatedToSelected?.has(table.id) === true}
              isFound={match?.table === table.id}
              foundColumn={match?.table === table.id ? match.column : undefined}
            />
          );
        })}
      </>
    );
  }, [
    x,
    y,
    width,
    height,
    isZoomedOut,
    data,
    tables,
    relatedTables,
    boxes,
    edges,
    expandedTables,
    selectedId,
    hoveredRelationId,
    match,
  ]);

  const lastFocusRequest = useRef<object>(undefined);
  useEffect(() => {
    const element =
      focusRequest && viewport.element?.querySelector(`[data-table="${CSS.escape(focusRequest.table)}"]`);
    if (element instanceof HTMLElement && lastFocusRequest.current !== focusRequest) {
      lastFocusRequest.current = focusRequest;
      element.focus({ preventScroll: true });
    }
  });

  const hoveredRelation = data.model.relations.find(({ id }) => id === hoveredRelationId);
  const hoveredEdge = edges.find((edge) => edge.relationId === hoveredRelationId);
  return (
    <div
      ref={viewport.attach}
      class={`canvas${pointer.isPanning ? ' isPanning' : ''}${pointer.isRelating ? ' isRelating' : ''}`}
      role="application"
      aria-label={t('Tables and relations of {0}', data.datamodel.title)}
      aria-describedby="canvas-help"
      tabIndex={selectedId === undefined ? 0 : -1}
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
          'Use the arrow keys to move between tables, Enter to open a table, Space to show its columns, and R to create a relation. The list shows the same information as text.',
        )}
      </p>
      <div class="world" style={{ transform: `scale(${view.scale}) translate(${-view.x}px, ${-view.y}px)` }}>
        {diagramElements}
        {pointer.drag === undefined ? null : <PendingLine {...pointer.drag} />}
      </div>
      {hoveredRelation === undefined || hoveredEdge === undefined ? null : (
        <p
          class="line-label"
          style={{
            transform: `translate(${(hoveredEdge.middle.x - view.x) * view.scale}px, ${(hoveredEdge.middle.y - view.y) * view.scale}px)`,
          }}
        >
          {describeRelation(hoveredRelation, tables)}
        </p>
      )}
    </div>
  );
}

/** The range of rows of a box to render, rounded to multiples of 20, so that scrolling rarely renders the box again. */
function getVisibleRows(table: DiagramTable, box: Rect, isExpanded: boolean, renderedRect: Rect) {
  const count = getVisibleColumns(table, isExpanded).length;
  const rowsPerStep = 20;
  const startRow =
    Math.floor((renderedRect.y - box.y - boxMetrics.header) / boxMetrics.row / rowsPerStep) * rowsPerStep;
  const endRow = Math.ceil((getBottom(renderedRect) - box.y) / boxMetrics.row / rowsPerStep) * rowsPerStep;
  const clampRow = (row: number): number => Math.min(count, Math.max(0, row));
  return { firstRow: clampRow(startRow), lastRow: clampRow(endRow) };
}

/**
 * Returns the IDs of the columns to highlight: those of the hovered relation, else of all relations of the selected
 * table. They are one text with an ID per line, so that a box is rendered again only if the text has changed. The IDs
 * in files contain names, which may contain spaces but, as JSON, no line breaks.
 */
function getJoinedColumns(
  { model }: DiagramViewProps['data'],
  selectedId: string | undefined,
  hoveredRelationId: string | undefined,
): string {
  return model.relations
    .filter(({ id, ends }) =>
      hoveredRelationId === undefined
        ? ends.some(({ table }) => table === selectedId)
        : id === hoveredRelationId,
    )
    .flatMap(({ ends }) => ends.flatMap(({ column }) => column ?? []))
    .join('\n');
}

/** Files have no context menu in the diagram. */
const readOnlyMenuContext = JSON.stringify({ preventDefaultContextMenuItems: true });

/** Creates the arguments of the commands in a table's context menu (`contributes.menus`, "webview/context") as JSON. */
function createMenuContext({ datamodel, subject }: DiagramViewProps['data'], table: DiagramTable): string {
  if ('folder' in datamodel) {
    return readOnlyMenuContext;
  }
  const { connectionId, datamodelId, title } = datamodel;
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
