import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getRelatedTables } from '../diagramLayout/diagramModel.ts';
import { createEdges } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import { findMatches } from '../diagramLayout/search.ts';
import { resolveOverlaps } from '../diagramLayout/resolveOverlaps.ts';
import { getBoxSize, getVisibleColumns } from '../diagramLayout/boxMetrics.ts';
import type { ToDiagram } from '../protocol/diagram.ts';
import { t } from '../shared/t.ts';
import { Canvas } from './canvas.tsx';
import { Details } from './details.tsx';
import type { DiagramHost, DiagramRequest, SelectOptions } from './diagramProps.ts';
import { exportImage } from './exportImage.ts';
import type { DiagramState } from './state.ts';
import { DiagramTableList } from './diagramTableList.tsx';
import { Toolbar } from './toolbar.tsx';
import { useViewport } from './useViewport.ts';
import { describeModel } from './labels.ts';

/** The minimum scale at which rows are readable. */
const readableScale = 0.6;

interface DiagramProps {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly state: DiagramState;
  readonly setState: (stateChange: (state: DiagramState) => DiagramState) => void;
  /** The number of requests of the host so far. */
  readonly requestCount: number;
  /** Returns the requests that have not been handled yet, and removes them. */
  readonly takeRequests: () => readonly DiagramRequest[];
  readonly isArranging: boolean;
}

/** The content of the page for a loaded datamodel: toolbar, diagram or list view, and details of the selected table. */
export function Diagram({
  data,
  host,
  state,
  setState,
  requestCount,
  takeRequests,
  isArranging,
}: DiagramProps) {
  const { model, layout, datamodel } = data;
  const updateState = useCallback(
    (changes: Partial<DiagramState>) => setState((current) => ({ ...current, ...changes })),
    [setState],
  );
  const tables = useMemo(() => new Map(model.tables.map((table) => [table.id, table])), [model]);
  const relatedTables = useMemo(() => getRelatedTables(model.relations), [model]);
  const expandedTables = useMemo(
    () => new Set(state.expandedIds.filter((id) => tables.has(id))),
    [state.expandedIds, tables],
  );
  const boxes = useMemo((): ReadonlyMap<string, Rect> => {
    const rects = resolveOverlaps(
      layout,
      model.tables.map((table) => getBoxSize(table, expandedTables.has(table.id))),
    );
    return new Map(model.tables.flatMap(({ id }, index) => (rects[index] ? [[id, rects[index]]] : [])));
  }, [model, layout, expandedTables]);
  const edges = useMemo(() => createEdges({ model, boxes, expandedTables }), [model, boxes, expandedTables]);
  const selectedTable = state.selectedId === undefined ? undefined : tables.get(state.selectedId);

  const viewport = useViewport({ boxes, view: state.view, setView: (view) => updateState({ view }) });
  const [focusRequest, setFocusRequest] = useState<{ readonly table: string }>();
  const [hoveredRelationId, setHoveredRelation] = useState<string>();
  const [selectedMatchIndex, setMatchIndex] = useState(0);
  const matches = useMemo(() => findMatches(model, state.query), [model, state.query]);
  // A reload of the datamodel may leave fewer matches.
  const matchIndex = Math.max(0, Math.min(selectedMatchIndex, matches.length - 1));
  const match = matches[matchIndex];

  /** Selects a table and scrolls it into view in the diagram. */
  const selectTable = (id: string | undefined, options: SelectOptions = {}): void => {
    updateState({ selectedId: id });
    if (id !== undefined) {
      viewport.reveal(id, options.minScale);
      if (options.focus === true) {
        setFocusRequest({ table: id });
      }
    }
  };
  const setTableExpanded = (id: string, isExpanded: boolean): void =>
    setState((current) => ({
      ...current,
      expandedIds: isExpanded
        ? [...new Set([...current.expandedIds, id])]
        : current.expandedIds.filter((expandedId) => expandedId !== id),
    }));
  const selectMatch = (index: number): void => {
    const nextMatch = matches[index];
    setMatchIndex(index);
    if (nextMatch !== undefined) {
      const table = tables.get(nextMatch.table);
      const isVisible =
        table === undefined ||
        nextMatch.column === undefined ||
        getVisibleColumns(table, expandedTables.has(table.id)).some(({ id }) => id === nextMatch.column);
      if (!isVisible) {
        setTableExpanded(nextMatch.table, true);
      }
      selectTable(nextMatch.table, { minScale: readableScale });
    }
  };
  // A restored query must not reveal a match, because the view was restored as well.
  const lastQuery = useRef(state.query);
  useEffect(() => {
    if (lastQuery.current !== state.query) {
      lastQuery.current = state.query;
      setMatchIndex(0);
      if (matches[0] !== undefined) {
        viewport.reveal(matches[0].table, readableScale);
      }
    }
  }, [state.query]);
  useEffect(() => {
    let selectedId = selectedTable?.id;
    for (const request of takeRequests()) {
      if (request.type === 'show' && tables.has(request.table)) {
        selectedId = request.table;
        selectTable(selectedId, { focus: true, minScale: 1 });
      } else if (request.type === 'relate') {
        host.post(
          selectedId === undefined
            ? { type: 'noTableSelected' }
            : { type: 'relate', ends: [{ table: selectedId }] },
        );
      }
    }
  }, [requestCount]);

  const sharedProps = { data, host, tables, relatedTables, selectTable, setTableExpanded };
  const title = t('Diagram of {0}', datamodel.title);
  return (
    <main class="page">
      <Toolbar
        {...{ title, state, updateState, matches, matchIndex, selectMatch, viewport }}
        areAllExpanded={expandedTables.size > 0 && expandedTables.size === tables.size}
        setAllExpanded={(isExpanded) => updateState({ expandedIds: isExpanded ? [...tables.keys()] : [] })}
        save={(format) => void exportImage(host, format, { model, boxes, expandedTables }, title)}
      />
      <div class="body">
        {model.tables.length === 0 ? (
          <p class="empty muted">{t('This datamodel has no tables.')}</p>
        ) : state.mode === 'list' ? (
          <DiagramTableList {...sharedProps} query={state.query} selectedId={state.selectedId} />
        ) : (
          <Canvas
            {...sharedProps}
            {...{
              boxes,
              edges,
              expandedTables,
              viewport,
              focusRequest,
              hoveredRelationId,
              setHoveredRelation,
              match,
            }}
            selectedId={selectedTable?.id}
          />
        )}
        {selectedTable === undefined || state.mode === 'list' ? null : (
          <Details
            {...sharedProps}
            table={selectedTable}
            isExpanded={expandedTables.has(selectedTable.id)}
            setHoveredRelation={setHoveredRelation}
          />
        )}
      </div>
      <footer class="status muted">
        <p role="status">
          {isArranging ? t('Arranging…') : describeModel(model)}
          {data.note === undefined ? '' : ` ${data.note}`}
        </p>
        {state.mode === 'list' ? null : (
          <p class="keys">{t('Arrows: move · Enter: open · Space: columns · R: relation · + - 0 F: zoom')}</p>
        )}
      </footer>
    </main>
  );
}
