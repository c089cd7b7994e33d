import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ToDiagram } from '../protocol/diagram.ts';
import { Failure } from '../shared/controls/failure.tsx';
import { t } from '../shared/t.ts';
import { Diagram } from './diagram.tsx';
import { type DiagramState, readDiagramState } from './state.ts';
import type { DiagramHost, DiagramRequest } from './diagramProps.ts';
import { formatTableCount } from './labels.ts';

type DiagramData = Extract<ToDiagram, { type: 'data' }>;

const persistDelayMs = 200;

/** The diagram page of a datamodel; shows its loading progress and errors until there is data. */
export function DiagramPage({ host }: { readonly host: DiagramHost }) {
  const [data, setData] = useState<DiagramData>();
  const [failure, setFailure] = useState<string>();
  const [arrangingTableCount, setArrangingTableCount] = useState<number>();
  const [state, setState] = useState<DiagramState>(() => readDiagramState(host.getState()));
  /** The requests of the host that wait for the diagram. Each is handled once, even if the diagram is loaded again. */
  const requests = useRef<DiagramRequest[]>([]);
  const [requestCount, setRequestCount] = useState(0);

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
        case 'relate':
          requests.current.push(message);
          setRequestCount((count) => count + 1);
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
  const { expandedIds: open, selectedId: chosen, mode, query } = state;
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
      {...{ data, host, state, setState, requestCount }}
      takeRequests={() => requests.current.splice(0)}
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
