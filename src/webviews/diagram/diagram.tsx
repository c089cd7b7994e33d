import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { relatedTables } from '../diagramLayout/diagramModel.ts';
import { edges } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import { search } from '../diagramLayout/search.ts';
import { settle } from '../diagramLayout/settle.ts';
import { boxSize, shownColumns } from '../diagramLayout/tableBox.ts';
import type { ToDiagram } from '../protocol/diagram.ts';
import { t } from '../shared/t.ts';
import { Canvas } from './canvas.tsx';
import { Details } from './details.tsx';
import type { ChooseOptions, DiagramHost } from './view.ts';
import { exportImage } from './exportImage.ts';
import type { DiagramState } from './state.ts';
import { TableList } from './tableList.tsx';
import { Toolbar } from './toolbar.tsx';
import { useViewport } from './useViewport.ts';
import { modelWords } from './words.ts';

/** From this size on, rows can be read. */
const readable = 0.6;

interface DiagramProps {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly state: DiagramState;
  readonly setState: (change: (state: DiagramState) => DiagramState) => void;
  readonly shown: { readonly table: string } | undefined;
  /** Grows with each wish for a relation from the chosen table. */
  readonly relate: number;
  readonly isArranging: boolean;
}

/** A datamodel that was read: its picture or its list, and what can be done with both. */
export function Diagram({ data, host, state, setState, shown, relate, isArranging }: DiagramProps) {
  const { model, layout, place } = data;
  const change = useCallback(
    (part: Partial<DiagramState>) => setState((now) => ({ ...now, ...part })),
    [setState],
  );
  const tables = useMemo(() => new Map(model.tables.map((table) => [table.id, table])), [model]);
  const related = useMemo(() => relatedTables(model.relations), [model]);
  const open = useMemo(() => new Set(state.open.filter((id) => tables.has(id))), [state.open, tables]);
  const boxes = useMemo((): ReadonlyMap<string, Rect> => {
    const rects = settle(
      layout,
      model.tables.map((table) => boxSize(table, open.has(table.id))),
    );
    return new Map(model.tables.flatMap(({ id }, index) => (rects[index] ? [[id, rects[index]]] : [])));
  }, [model, layout, open]);
  const lines = useMemo(() => edges({ model, boxes, open }), [model, boxes, open]);
  const chosen = state.chosen === undefined ? undefined : tables.get(state.chosen);

  const viewport = useViewport({ boxes, view: state.view, setView: (view) => change({ view }) });
  const [focus, setFocus] = useState<{ readonly table: string }>();
  const [relation, setRelation] = useState<string>();
  const [found, setFound] = useState(0);
  const matches = useMemo(() => search(model, state.query), [model, state.query]);
  const match = matches[found];

  /** Chooses a table and brings it in sight, in the list or in the picture. */
  const choose = (id: string | undefined, options: ChooseOptions = {}): void => {
    change({ chosen: id });
    if (id !== undefined) {
      viewport.reveal(id, options.leastScale);
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
  const find = (index: number): void => {
    const next = matches[index];
    setFound(index);
    if (next !== undefined) {
      const table = tables.get(next.table);
      const isShown =
        table === undefined ||
        next.column === undefined ||
        shownColumns(table, open.has(table.id)).some(({ id }) => id === next.column);
      if (!isShown) {
        setOpen(next.table, true);
      }
      choose(next.table, { leastScale: readable });
    }
  };
  // Not for a query that was kept: the view was kept with it.
  const searched = useRef(state.query);
  useEffect(() => {
    if (searched.current !== state.query) {
      searched.current = state.query;
      setFound(0);
      if (matches[0] !== undefined) {
        viewport.reveal(matches[0].table, readable);
      }
    }
  }, [state.query]);
  useEffect(() => {
    if (shown !== undefined && tables.has(shown.table)) {
      viewport.reveal(shown.table, 1);
      change({ chosen: shown.table });
      setFocus(shown);
    }
  }, [shown]);
  useEffect(() => {
    if (relate > 0 && chosen !== undefined) {
      host.post({ type: 'relate', ends: [{ table: chosen.id }] });
    }
  }, [relate]);

  const shared = { data, host, tables, related, choose, setOpen };
  const title = t('Diagram of {0}', place.title);
  return (
    <main class="page">
      <Toolbar
        {...{ title, state, change, matches, found, find, viewport }}
        allOpen={open.size > 0 && open.size === tables.size}
        openAll={(all) => change({ open: all ? [...tables.keys()] : [] })}
        save={(format) => void exportImage(host, format, { model, boxes, open }, title)}
      />
      <div class="body">
        {model.tables.length === 0 ? (
          <p class="empty muted">{t('This datamodel has no tables yet.')}</p>
        ) : state.mode === 'list' ? (
          <TableList {...shared} query={state.query} chosen={state.chosen} />
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
          {isArranging ? t('Arranging…') : modelWords(model)}
          {data.note === undefined ? '' : ` ${data.note}`}
        </p>
        {state.mode === 'list' ? null : (
          <p class="keys">{t('Arrows: go · Enter: open · Space: columns · R: relation · + - 0 F: zoom')}</p>
        )}
      </footer>
    </main>
  );
}
