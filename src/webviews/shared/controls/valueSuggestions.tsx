import type { JSX } from 'preact';
import type { ValueSuggestion } from '../../../security/values/suggestValues.ts';
import { t } from '../t.ts';
import '../valueSuggestions.css';

/** The maximum number of suggestions; typing more of a value finds the others. */
export const maxSuggestions = 8;

/**
 * Known values of a column, below the field in which values are typed. The field keeps the focus when one is clicked.
 */
export function ValueSuggestions({
  suggestions,
  activeIndex,
  disabled = false,
  onChoose,
}: {
  readonly suggestions: readonly ValueSuggestion[];
  /** The suggestion that Enter would choose, in a field that handles the arrow keys. */
  readonly activeIndex?: number | undefined;
  readonly disabled?: boolean;
  readonly onChoose: (text: string) => void;
}): JSX.Element | null {
  return suggestions.length === 0 ? null : (
    <div class="value-suggestions" role="group" aria-label={t('Known values')}>
      {suggestions.map(({ value, text }, index) => (
        <button
          key={value}
          type="button"
          class="value-suggestion"
          aria-pressed={activeIndex === undefined ? undefined : index === activeIndex}
          disabled={disabled}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(text)}
        >
          {value === '' ? '""' : value}
        </button>
      ))}
    </div>
  );
}
