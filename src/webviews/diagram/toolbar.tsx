import { useEffect, useRef } from 'preact/hooks';
import type { SearchMatch } from '../diagramLayout/search.ts';
import { zoomStep } from '../diagramLayout/viewport.ts';
import { getShortcutLetter } from '../shared/shortcuts.ts';
import { t } from '../shared/t.ts';
import type { DiagramState } from './state.ts';
import type { ViewportController } from './useViewport.ts';

interface ToolbarProps {
  readonly title: string;
  readonly state: DiagramState;
  readonly updateState: (changes: Partial<DiagramState>) => void;
  readonly matches: readonly SearchMatch[];
  readonly matchIndex: number;
  readonly selectMatch: (index: number) => void;
  readonly viewport: ViewportController;
  readonly areAllExpanded: boolean;
  readonly setAllExpanded: (isExpanded: boolean) => void;
  readonly save: (format: 'svg' | 'png') => void;
}

/** The toolbar of the page: search, zoom, view mode, and export. */
export function Toolbar({
  title,
  state,
  updateState,
  viewport,
  areAllExpanded,
  setAllExpanded,
  save,
  ...searchProps
}: ToolbarProps) {
  const isPicture = state.mode === 'picture';
  return (
    <header class="toolbar">
      <h1>{title}</h1>
      <SearchBox {...searchProps} query={state.query} setQuery={(query) => updateState({ query })} />
      {isPicture ? (
        <div class="group" role="group" aria-label={t('Zoom')}>
          <ToolbarButton icon="zoom-out" label={t('Zoom Out (-)')} run={() => viewport.zoom(1 / zoomStep)} />
          <button
            type="button"
            class="icon-button zoom"
            title={t('Actual Size (0)')}
            onClick={() => viewport.resetZoom(state.selectedId)}
          >
            {Math.round(viewport.view.scale * 100)}%
          </button>
          <ToolbarButton icon="zoom-in" label={t('Zoom In (+)')} run={() => viewport.zoom(zoomStep)} />
          <ToolbarButton icon="screen-full" label={t('Fit All (F)')} run={() => viewport.fit()} />
        </div>
      ) : null}
      <div class="group">
        {isPicture ? (
          <ToolbarButton
            icon={areAllExpanded ? 'collapse-all' : 'expand-all'}
            label={areAllExpanded ? t('Collapse All Tables') : t('Expand All Tables')}
            run={() => setAllExpanded(!areAllExpanded)}
          />
        ) : null}
        <ToolbarButton
          icon={isPicture ? 'list-flat' : 'type-hierarchy'}
          label={isPicture ? t('Show as List') : t('Show as Diagram')}
          run={() => updateState({ mode: isPicture ? 'list' : 'picture' })}
        />
      </div>
      <div class="group">
        <SaveButton format="svg" save={save} />
        <SaveButton format="png" save={save} />
      </div>
    </header>
  );
}

function SaveButton({
  format,
  save,
}: {
  readonly format: 'svg' | 'png';
  readonly save: (format: 'svg' | 'png') => void;
}) {
  const name = format.toUpperCase();
  const label = t('Save as {0}', name);
  return (
    <button type="button" class="button save" title={label} aria-label={label} onClick={() => save(format)}>
      <span class="codicon codicon-save" aria-hidden="true" /> {name}
    </button>
  );
}

export function ToolbarButton({
  icon,
  label,
  run,
  disabled = false,
}: {
  readonly icon: string;
  readonly label: string;
  readonly run: () => void;
  readonly disabled?: boolean;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      disabled={disabled}
      onClick={run}
    >
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
    </button>
  );
}

interface SearchProps {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly matches: readonly SearchMatch[];
  readonly matchIndex: number;
  readonly selectMatch: (index: number) => void;
}

function SearchBox({ query, setQuery, matches, matchIndex, selectMatch }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  // The listener is registered on the window, so that the shortcut works wherever the focus is, in the diagram and in
  // the list.
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      if (getShortcutLetter(event) === 'f' && !event.shiftKey) {
        input.current?.focus();
      }
    };
    window.addEventListener('keydown', focusSearch);
    return () => window.removeEventListener('keydown', focusSearch);
  }, []);
  const count = matches.length;
  const moveMatch = (step: number): void => {
    if (count > 0) {
      selectMatch((matchIndex + step + count) % count);
    }
  };
  const status =
    query.trim() === '' ? '' : count === 0 ? t('No results') : t('{0} of {1}', matchIndex + 1, count);
  return (
    <div class="group search" role="search">
      <input
        ref={input}
        type="search"
        id="search"
        aria-label={t('Find table or column')}
        placeholder={t('Find table or column')}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            // The first Enter selects the current match of a new query, further ones the next match.
            moveMatch(event.shiftKey ? -1 : event.currentTarget.dataset['selectedQuery'] === query ? 1 : 0);
            event.currentTarget.dataset['selectedQuery'] = query;
          }
        }}
      />
      <span class="count muted" role="status">
        {status}
      </span>
      <ToolbarButton
        icon="arrow-up"
        label={t('Previous Match (Shift+Enter)')}
        disabled={count === 0}
        run={() => moveMatch(-1)}
      />
      <ToolbarButton
        icon="arrow-down"
        label={t('Next Match (Enter)')}
        disabled={count === 0}
        run={() => moveMatch(1)}
      />
    </div>
  );
}
