import { useMemo, useRef, useState } from 'preact/hooks';
import { type ChangeView, type ChangeSummary, countChanges } from '../protocol/ruleChange.ts';
import { t } from '../shared/t.ts';
import { useVirtualRows } from '../shared/useVirtualRows.ts';
import { toChangeLine, matchesFilter, getNoChangesMessage } from './changeLine.ts';

const rowHeight = 26;
const changeKinds = ['add', 'change', 'delete'] as const;

/** The list of changes, one for each party and column. Only the visible rows are rendered. */
export function ChangeList({ view }: { readonly view: ChangeView }) {
  const { changes } = view;
  const [filter, setFilter] = useState('');
  const [kind, setKind] = useState<ChangeSummary['kind'] | 'any'>('any');
  const lines = useMemo(() => changes.map((change) => toChangeLine(change, t)), [changes]);
  const visibleLines = useMemo(
    () => lines.filter((line) => (kind === 'any' || line.kind === kind) && matchesFilter(line, filter)),
    [lines, kind, filter],
  );
  const counts = useMemo(() => countChanges(changes), [changes]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(scroller, visibleLines.length, rowHeight);
  if (changes.length === 0) {
    return <p class="empty muted">{getNoChangesMessage(view, t)}</p>;
  }
  const labels = { add: t('Added'), change: t('Changed'), delete: t('Deleted') };
  return (
    <section class="changes" aria-labelledby="changes">
      <div class="options">
        <h2 id="changes">{t('Changes')}</h2>
        <label>
          {t('Kind')}
          <select
            value={kind}
            onChange={({ currentTarget }) =>
              setKind(changeKinds.find((changeKind) => changeKind === currentTarget.value) ?? 'any')
            }
          >
            <option value="any">{t('All ({0})', changes.length)}</option>
            {changeKinds.map((changeKind) => (
              <option key={changeKind} value={changeKind}>
                {`${labels[changeKind]} (${counts[changeKind]})`}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('Filter')}
          <input
            type="search"
            value={filter}
            placeholder={t('Column, user, group, or value')}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
        <span class="muted" role="status">
          {visibleLines.length === changes.length ? '' : t('{0} of {1}', visibleLines.length, changes.length)}
        </span>
      </div>
      <div
        class="long-table"
        role="table"
        aria-label={t('Changes')}
        aria-rowcount={visibleLines.length + 1}
        ref={scroller}
        tabIndex={0}
      >
        <div role="rowgroup" class="long-table-head">
          <div role="row" class="long-table-row" aria-rowindex={1}>
            {[t('Change'), t('Column'), t('User or group'), t('Before'), t('After')].map((title) => (
              <span role="columnheader" key={title}>
                {title}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="long-table-body" style={{ height: `${rows.totalSize}px` }}>
          {rows.items.map(({ index, start }) => {
            const line = visibleLines[index];
            return line === undefined ? null : (
              <div
                role="row"
                class={`long-table-row ${line.kind}`}
                key={index}
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
              >
                {[line.kindText, line.column, line.party, line.before, line.after].map((text, column) => (
                  <span role="cell" key={column} title={text}>
                    {text}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
