import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { completeFilter, type FilterCompletion } from '../../catalog/customData/completeFilter.ts';
import type { ObjectKey } from '../../catalog/customData/collectKeys.ts';
import { t } from '../shared/t.ts';

interface FilterInputProps {
  readonly label: string;
  readonly value: string;
  readonly keys: readonly ObjectKey[];
  readonly problem: string | undefined;
  readonly placeholder: string;
  readonly change: (text: string) => void;
  readonly submit: () => void;
}

const icons = { key: 'symbol-field', operator: 'symbol-operator', value: 'symbol-constant' } as const;

/**
 * An input for a JSON object, with completions for keys, operators and values at the caret. In the list of completions,
 * arrow keys select, Enter accepts and Escape closes; Ctrl+Space opens the list. While it is closed, Enter submits.
 */
export function FilterInput({ label, value, keys, problem, placeholder, change, submit }: FilterInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [moveTo, setMoveTo] = useState<number>();
  const proposals = useMemo(
    () => (isOpen ? completeFilter(value, caret, keys) : []),
    [isOpen, value, caret, keys],
  );
  const chosen = proposals[Math.min(at, proposals.length - 1)];

  // The caret can only be set after the new text has been rendered.
  useLayoutEffect(() => {
    if (moveTo !== undefined) {
      input.current?.setSelectionRange(moveTo, moveTo);
      setCaret(moveTo);
      setMoveTo(undefined);
    }
  }, [moveTo]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, proposals]);

  const accept = ({ insert, start, end }: FilterCompletion): void => {
    change(value.slice(0, start) + insert + value.slice(end));
    // Move the caret between inserted brackets or quotes, otherwise to the end of the inserted text.
    const inside = /(?:""|\[\]|\{\}|\[\{\}\])$/.exec(insert)?.[0] ?? '';
    setMoveTo(start + insert.length - Math.ceil(inside.length / 2));
    setAt(0);
    setOpen(insert.endsWith(': ') || inside !== '');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isShown = proposals.length > 0;
    if (event.key === ' ' && event.ctrlKey) {
      setOpen(true);
    } else if (isShown && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, proposals.length - 1) + step + proposals.length) % proposals.length);
    } else if (isShown && event.key === 'Enter' && chosen !== undefined) {
      accept(chosen);
    } else if (isShown && event.key === 'Escape') {
      setOpen(false);
    } else if (event.key === 'Enter') {
      submit();
    } else {
      return;
    }
    event.preventDefault();
  };
  const updateCaret = (): void => setCaret(input.current?.selectionStart ?? 0);
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        type="text"
        id={id}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={proposals.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${proposals.indexOf(chosen)}`}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          setCaret(currentTarget.selectionStart ?? 0);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={updateCaret}
        onClick={updateCaret}
        onBlur={() => setOpen(false)}
      />
      <ul
        id={`${id}-list`}
        class="proposals"
        role="listbox"
        aria-label={t('Proposals')}
        hidden={proposals.length === 0}
        ref={list}
      >
        {proposals.map((proposal, index) => (
          <li
            key={`${proposal.kind} ${proposal.label}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={proposal === chosen}
            // Keeps the focus in the input: the list would close before the click.
            onMouseDown={(event) => {
              event.preventDefault();
              accept(proposal);
            }}
          >
            <span class={`codicon codicon-${icons[proposal.kind]}`} aria-hidden="true" />
            <span class="label">{proposal.label}</span>
            {proposal.count === undefined ? null : (
              <span class="muted">
                {proposal.count === 1 ? t('in one object') : t('in {0} objects', proposal.count)}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p id={`${id}-problem`} class="hint">
        {problem ?? ''}
      </p>
    </div>
  );
}
