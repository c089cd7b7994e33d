import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusMainControl } from '../restoreFocus.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly badge?: string | undefined;
}

/** A tab list and the panel of the active tab, which is given as children. Arrow keys switch between tabs. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly activeId: string;
  readonly onChange: (id: string) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const tabList = useRef<HTMLDivElement>(null);
  // If a link in the previous panel switched the tab, the link is gone, and the focus with it.
  useEffect(focusMainControl, [props.activeId]);
  const move = (step: number): void => {
    const activeIndex = props.tabs.findIndex(({ id }) => id === props.activeId);
    const next = props.tabs[(activeIndex + step + props.tabs.length) % props.tabs.length];
    if (next !== undefined) {
      props.onChange(next.id);
      tabList.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
    }
  };
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label={props.label}
        ref={tabList}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
            move(event.key === 'ArrowRight' ? 1 : -1);
            event.preventDefault();
          }
        }}
      >
        {props.tabs.map(({ id, label, badge }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            class="tab"
            aria-selected={id === props.activeId}
            aria-controls="panel"
            tabIndex={id === props.activeId ? 0 : -1}
            onClick={() => props.onChange(id)}
          >
            {label}
            {badge === undefined ? null : <span class="badge">{badge}</span>}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${props.activeId}`}>
        {props.children}
      </div>
    </>
  );
}
