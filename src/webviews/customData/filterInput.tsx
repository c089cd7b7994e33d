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
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

const icons = { key: 'symbol-field', operator: 'symbol-operator', value: 'symbol-constant' } as const;

/**
 * An input for a JSON object, with completions for keys, operators and values at the caret. In the list of completions,
 * arrow keys select, Enter accepts and Escape closes; Ctrl+Space opens the list. While it is closed, Enter submits.
 */
export function FilterInput({
  label,
  value,
  keys,
  problem,
  placeholder,
  onChange,
  onSubmit,
}: FilterInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [caret, setCaret] = useState(0);
  const [isListOpen, setListOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(0);
  const [nextCaret, setNextCaret] = useState<number>();
  const proposals = useMemo(
    () => (isListOpen ? completeFilter(value, caret, keys) : []),
    [isListOpen, value, caret, keys],
  );
  const activeProposal = proposals[Math.min(activeIndex, proposals.length - 1)];

  // The caret can only be set after the new text has been rendered.
  useLayoutEffect(() => {
    if (nextCaret !== undefined) {
      input.current?.setSelectionRange(nextCaret, nextCaret);
      setCaret(nextCaret);
      setNextCaret(undefined);
    }
  }, [nextCaret]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex, proposals]);

  const accept = ({ insertText, start, end }: FilterCompletion): void => {
    onChange(value.slice(0, start) + insertText + value.slice(end));
    // Move the caret between inserted brackets or quotes, otherwise to the end of the inserted text.
    const emptyPair = /(?:""|\[\]|\{\}|\[\{\}\])$/.exec(insertText)?.[0] ?? '';
    setNextCaret(start + insertText.length - Math.ceil(emptyPair.length / 2));
    setActiveIndex(0);
    setListOpen(insertText.endsWith(': ') || emptyPair !== '');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isListVisible = proposals.length > 0;
    if (event.key === ' ' && event.ctrlKey) {
      setListOpen(true);
    } else if (isListVisible && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActiveIndex(
        (Math.min(activeIndex, proposals.length - 1) + step + proposals.length) % proposals.length,
      );
    } else if (isListVisible && event.key === 'Enter' && activeProposal !== undefined) {
      accept(activeProposal);
    } else if (isListVisible && event.key === 'Escape') {
      setListOpen(false);
    } else if (event.key === 'Enter') {
      onSubmit();
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
        aria-activedescendant={
          activeProposal === undefined ? undefined : `${id}-${proposals.indexOf(activeProposal)}`
        }
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value);
          setCaret(currentTarget.selectionStart ?? 0);
          setActiveIndex(0);
          setListOpen(true);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={updateCaret}
        onClick={updateCaret}
        onBlur={() => setListOpen(false)}
      />
      <ul
        id={`${id}-list`}
        class="proposals"
        role="listbox"
        aria-label={t('Suggestions')}
        hidden={proposals.length === 0}
        ref={list}
      >
        {proposals.map((proposal, index) => (
          <li
            key={`${proposal.kind} ${proposal.label}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={proposal === activeProposal}
            // Keeps the focus in the input: the list would close before the click.
            onMouseDown={(event) => {
              event.preventDefault();
              accept(proposal);
            }}
          >
            <span class={`codicon codicon-${icons[proposal.kind]}`} aria-hidden="true" />
            <span class="label">{proposal.label}</span>{' '}
            {proposal.count === undefined ? null : (
              <span class="muted">
                {proposal.count === 1 ? t('in 1 object') : t('in {0} objects', proposal.count)}
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
