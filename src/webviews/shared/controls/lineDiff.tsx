import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffLine } from '../../../base/lineDiff.ts';
import type { PlanDiff } from '../../protocol/planPage.ts';
import { t } from '../t.ts';
import '../lineDiff.css';

/** The number of lines that are shown at first, so that the next item isn't far below. */
const firstLineCount = 20;

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: '', removed: '−', added: '+', gap: '⋯' };

/** A text that changes, line by line: lines that are removed and added, and some around them. */
export function LineDiff({ diff: { label, lines, omission } }: { readonly diff: PlanDiff }): JSX.Element {
  const [isExpanded, setExpanded] = useState(false);
  const hasMore = lines.length > firstLineCount;
  const visibleLines = isExpanded ? lines : lines.slice(0, firstLineCount);
  return (
    <div class="line-diff" role="group" aria-label={label}>
      <div class="muted">{label}</div>
      <div class="lines">
        {visibleLines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </div>
      {omission === undefined || (hasMore && !isExpanded) ? undefined : <div class="muted">{omission}</div>}
      {hasMore ? (
        <button
          class="link"
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t('Show Less') : t('Show All {0} Lines', lines.length)}
        </button>
      ) : undefined}
    </div>
  );
}

function Line({ line: { kind, text } }: { readonly line: DiffLine }): JSX.Element {
  const label = getLabel(kind);
  return (
    <div class={`line ${kind}`}>
      <span class="sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <code>
        {label === undefined ? undefined : <span class="sr-only">{label} </span>}
        {text}
      </code>
    </div>
  );
}

/** Returns what a screen reader says before a line. */
function getLabel(kind: DiffLine['kind']): string | undefined {
  switch (kind) {
    case 'removed':
      return t('Removed:');
    case 'added':
      return t('Added:');
    case 'gap':
      return t('Unchanged lines');
    case 'same':
      return undefined;
  }
}
