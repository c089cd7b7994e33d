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
import type { SelectOptions, DiagramHost } from './diagramView.ts';
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
  readonly setState: (change: (state: DiagramState) => DiagramState) => void;
  readonly revealTarget: { readonly table: string } | undefined;
  /** The number of requests so far to create a relation from the selected table. */
  readonly relate: number;
  readonly isArranging: boolean;
}

/** The content of the page for a loaded datamodel: toolbar, diagram or list view, and details of the selected table. */
export function Diagram({ data, host, state, setState, revealTarget, relate, isArranging }: DiagramProps) {
  const { model, layout, place } = data;
  const change = useCallback(
    (part: Partial<DiagramState>) => setState((now) => ({ ...now, ...part })),
    [setState],
  );
  const tables = useMemo(() => new Map(model.tables.map((table) => [table.id, table])), [model]);
  const related = useMemo(() => getRelatedTables(model.relations), [model]);
  const open = useMemo(() => new Set(state.open.filter((id) => tables.has(id))), [state.open, tables]);
  const boxes = useMemo((): ReadonlyMap<string, Rect> => {
    const rects = resolveOverlaps(
      layout,
      model.tables.map((table) => getBoxSize(table, open.has(table.id))),
    );
    return new Map(model.tables.flatMap(({ id }, index) => (rects[index] ? [[id, rects[index]]] : [])));
  }, [model, layout, open]);
  const lines = useMemo(() => createEdges({ model, boxes, open }), [model, boxes, open]);
  const chosen = state.chosen === undefined ? undefined : tables.get(state.chosen);

  const viewport = useViewport({ boxes, view: state.view, setView: (view) => change({ view }) });
  const [focus, setFocus] = useState<{ readonly table: string }>();
  const [relation, setRelation] = useState<string>();
  const [found, setFound] = useState(0);
  const matches = useMemo(() => findMatches(model, state.query), [model, state.query]);
  const match = matches[found];

  /** Selects a table and scrolls it into view in the diagram. */
  const selectTable = (id: string | undefined, options: SelectOptions = {}): void => {
    change({ chosen: id });
    if (id !== undefined) {
      viewport.reveal(id, options.minScale);
      if (options.focus === true) {
        setFocus({ table: id });
      }
    }
  };
  const setOpen = (id: string, isOpen: boolean): void =>
    setState((now) => ({
      ...now,
      open: isOpen ? [...new Set([...now.open, id])] : now.open.filter((each) => each !== id),
    }));
  const selectMatch = (index: number): void => {
    const next = matches[index];
    setFound(index);
    if (next !== undefined) {
      const table = tables.get(next.table);
      const isShown =
        table === undefined ||
        next.column === undefined ||
        getVisibleColumns(table, open.has(table.id)).some(({ id }) => id === next.column);
      if (!isShown) {
        setOpen(next.table, true);
      }
      selectTable(next.table, { minScale: readableScale });
    }
  };
  // A restored query must not reveal a match, because the view was restored as well.
  const searched = useRef(state.query);
  useEffect(() => {
    if (searched.current !== state.query) {
      searched.current = state.query;
      setFound(0);
      if (matches[0] !== undefined) {
        viewport.reveal(matches[0].table, readableScale);
      }
    }
  }, [state.query]);
  useEffect(() => {
    if (revealTarget !== undefined && tables.has(revealTarget.table)) {
      viewport.reveal(revealTarget.table, 1);
      change({ chosen: revealTarget.table });
      setFocus(revealTarget);
    }
  }, [revealTarget]);
  useEffect(() => {
    if (relate > 0 && chosen !== undefined) {
      host.post({ type: 'relate', ends: [{ table: chosen.id }] });
    }
  }, [relate]);

  const shared = { data, host, tables, related, choose: selectTable, setOpen };
  const title = t('Diagram of {0}', place.title);
  return (
    <main class="page">
      <Toolbar
        {...{ title, state, change, matches, found, find: selectMatch, viewport }}
        allOpen={open.size > 0 && open.size === tables.size}
        openAll={(all) => change({ open: all ? [...tables.keys()] : [] })}
        save={(format) => void exportImage(host, format, { model, boxes, open }, title)}
      />
      <div class="body">
        {model.tables.length === 0 ? (
          <p class="empty muted">{t('This datamodel has no tables yet.')}</p>
        ) : state.mode === 'list' ? (
          <DiagramTableList {...shared} query={state.query} chosen={state.chosen} />
        ) : (
          <Canvas
            {...shared}
            {...{ boxes, lines, open, viewport, focus, relation, setRelation, match }}
            chosen={chosen?.id}
          />
        )}
        {chosen === undefined || state.mode === 'list' ? null : (
          <Details {...shared} table={chosen} isOpen={open.has(chosen.id)} setRelation={setRelation} />
        )}
      </div>
      <footer class="status muted">
        <p role="status">
          {isArranging ? t('Arranging…') : describeModel(model)}
          {data.note === undefined ? '' : ` ${data.note}`}
        </p>
        {state.mode === 'list' ? null : (
          <p class="keys">{t('Arrows: go · Enter: open · Space: columns · R: relation · + - 0 F: zoom')}</p>
        )}
      </footer>
    </main>
  );
}
