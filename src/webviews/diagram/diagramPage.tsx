import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ToDiagram } from '../protocol/diagram.ts';
import { Failure } from '../shared/controls/failure.tsx';
import { t } from '../shared/t.ts';
import { Diagram } from './diagram.tsx';
import { type DiagramState, readDiagramState } from './state.ts';
import type { DiagramHost } from './diagramView.ts';
import { formatTableCount } from './labels.ts';

type DiagramData = Extract<ToDiagram, { type: 'data' }>;

const persistDelayMs = 200;

/** The diagram page of a datamodel; shows its loading progress and errors until there is data. */
export function DiagramPage({ host }: { readonly host: DiagramHost }) {
  const [data, setData] = useState<DiagramData>();
  const [failure, setFailure] = useState<string>();
  const [arrangingTableCount, setArrangingTableCount] = useState<number>();
  const [state, setState] = useState<DiagramState>(() => readDiagramState(host.getState()));
  /** The table that the host asked to reveal. Each message creates a new object, so that it is revealed again. */
  const [revealTarget, setRevealTarget] = useState<{ readonly table: string }>();
  const [relateRequestCount, setRelateRequestCount] = useState(0);

  useEffect(() => {
    host.onMessage((message) => {
      switch (message.type) {
        case 'data':
          setData(message);
          setFailure(undefined);
          setArrangingTableCount(undefined);
          break;
        case 'reading':
          setData(undefined);
          setFailure(undefined);
          setArrangingTableCount(undefined);
          break;
        case 'arranging':
          setArrangingTableCount(message.tableCount);
          break;
        case 'show':
          setRevealTarget({ table: message.table });
          break;
        case 'relate':
          setRelateRequestCount((count) => count + 1);
          break;
        case 'failed':
          setFailure(message.message);
          setArrangingTableCount(undefined);
          break;
      }
    });
    host.post({ type: 'ready' });
  }, [host]);
  const persistState = (): void => {
    if (data !== undefined) {
      host.setState({ ...state, place: data.datamodel });
    }
  };
  const { open, chosen, mode, query } = state;
  // Persisted immediately, because a selection may open another editor.
  useEffect(persistState, [host, data, open, chosen, mode, query]);
  // Panning and zooming change the view with every frame, so it is persisted when the movement has stopped.
  useEffect(() => {
    const timer = setTimeout(persistState, persistDelayMs);
    return () => clearTimeout(timer);
  }, [host, data, state]);

  if (failure !== undefined) {
    return (
      <Placeholder>
        <Failure message={failure} retry={() => host.post({ type: 'reload' })} />
      </Placeholder>
    );
  }
  if (data === undefined) {
    const statusText =
      arrangingTableCount === undefined
        ? t('Loading datamodel…')
        : t('Arranging {0}…', formatTableCount(arrangingTableCount));
    return (
      <Placeholder>
        <p class="empty muted" role="status">
          {statusText}
        </p>
      </Placeholder>
    );
  }
  return (
    <Diagram
      {...{ data, host, state, setState, revealTarget, relateRequestCount }}
      isArranging={arrangingTableCount !== undefined}
    />
  );
}

/** The page while there is no diagram to show. Its heading for screen readers is the title of the tab. */
const Placeholder = ({ children }: { readonly children: ComponentChildren }) => (
  <main class="page">
    <h1 class="sr-only">{document.title}</h1>
    {children}
  </main>
);
