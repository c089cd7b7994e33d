import { useState } from 'preact/hooks';
import type { ToAccess } from '../protocol/access.ts';
import type { ColumnAccessResult, Verdict } from '../../security/effectiveAccess.ts';
import { toVerdict } from '../../security/effectiveAccess.ts';
import { getWhatIfRuleKey } from '../../security/whatIf/whatIf.ts';
import { getMissingColumnText } from '../shared/missingColumnText.ts';
import { t } from '../shared/t.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import type { AccessView, ColumnAccessRow, ComparisonSide } from './accessView.ts';
import { initialRowCount } from './initialRowCount.ts';
import { ShowMore } from './showMore.tsx';
import { SidesTable } from './sidesTable.tsx';
import type { AccessPageState } from './state.ts';

interface ColumnTableProps {
  readonly view: AccessView;
  readonly data: Extract<ToAccess, { type: 'data' }>;
  readonly state: AccessPageState;
  readonly formatter: AccessFormatter;
  readonly openRule: (index: number) => void;
  /** Ignores a rule (by its key) in the preview, or applies it again. */
  readonly toggleRule: (key: string) => void;
}

/** The columns that have rules, with the access of each side and the rules that it results from. */
export function ColumnTable({ view, data, state, formatter, openRule, toggleRule }: ColumnTableProps) {
  const [maxRows, setMaxRows] = useState(initialRowCount);
  const showsOnlyDifferences = state.onlyDifferences && view.sides.length > 1;
  const rows = view.columns.filter(
    (row) => matchesFilter(row, state) && (!showsOnlyDifferences || row.isDifferent),
  );
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">{t('Columns with rules')}</h2>
      {data.rules.length === 0 ? (
        <p class="muted">
          {data.isCubeSet === true
            ? t('No rules.')
            : t('No rules. Everyone with access to the datamodel sees all of its data.')}
        </p>
      ) : null}
      <p class="muted" role="status">
        {rows.length === view.columns.length
          ? ''
          : rows.length === 0
            ? t('No matching columns.')
            : t('{0} of {1} columns', rows.length, view.columns.length)}
      </p>
      {rows.length === 0 ? null : (
        <SidesTable rowHeading={t('Column')} {...{ view, formatter }}>
          {rows.slice(0, maxRows).map((row) => (
            <tr key={row.key} class={row.isDifferent ? 'differs' : ''}>
              <th scope="row">
                {row.table}.<wbr />
                {row.column}
                {row.isDifferent ? <span class="sr-only">{t('(different)')}</span> : null}
                {row.isMissing ? (
                  <p class="missing-column">
                    <span class="codicon codicon-warning warning" aria-hidden="true" />{' '}
                    {getMissingColumnText(data)}
                  </p>
                ) : null}
              </th>
              {view.sides.map((side, index) => (
                <td key={`${index} ${side.rulesVariant}`}>
                  <AccessCell
                    {...{ side, data, state, formatter, openRule, toggleRule }}
                    result={row.cells[index]}
                  />
                </td>
              ))}
            </tr>
          ))}
        </SidesTable>
      )}
      <ShowMore count={rows.length} maxRows={maxRows} setMaxRows={setMaxRows} />
    </section>
  );
}

function matchesFilter({ table, column }: ColumnAccessRow, { filter }: AccessPageState): boolean {
  return `${table}.${column}`.toLowerCase().includes(filter.trim().toLowerCase());
}

const verdictIcons: Readonly<Record<Verdict, string>> = {
  all: 'pass',
  only: 'filter',
  except: 'filter',
  none: 'circle-slash',
  ambiguous: 'question',
};

interface AccessCellProps
  extends Pick<ColumnTableProps, 'data' | 'state' | 'formatter' | 'openRule' | 'toggleRule'> {
  readonly side: ComparisonSide;
  readonly result: ColumnAccessResult | undefined;
}

function AccessCell({ side, result, data, state, formatter, openRule, toggleRule }: AccessCellProps) {
  const [isExpanded, setExpanded] = useState(false);
  if (result === undefined) {
    return (
      <p class="verdict all">
        <span class="codicon codicon-pass" aria-hidden="true" /> {t('No rule: sees all values')}
      </p>
    );
  }
  const { verdict, values } = toVerdict(result.access);
  const shortText = formatter.formatColumn(result);
  const fullText = formatter.formatColumn(result, Number.POSITIVE_INFINITY);
  return (
    <>
      <p class={`verdict ${verdict}`}>
        <span class={`codicon codicon-${verdictIcons[verdict]}`} aria-hidden="true" />{' '}
        {isExpanded ? fullText : shortText}{' '}
        {shortText === fullText ? null : (
          <button type="button" class="link" onClick={() => setExpanded(!isExpanded)}>
            {isExpanded
              ? t('Show Less')
              : values.length === 0
                ? t('Show All')
                : t('Show All {0}', values.length)}
          </button>
        )}
      </p>
      {result.appliedRules.length === 0 ? null : (
        <ul class="reasons" aria-label={t('Why')}>
          {result.appliedRules.map((applied) => {
            const { index } = applied.rule;
            const text = formatter.formatReason(applied, side.party);
            const key = getWhatIfRuleKey(data.rules[index], index);
            return (
              <li key={`${index}-${applied.matchedType}`}>
                {index < data.rules.length ? (
                  <>
                    <button type="button" class="link" title={t('Open Rule')} onClick={() => openRule(index)}>
                      {text}
                    </button>
                    <button
                      type="button"
                      class="icon-button"
                      aria-pressed={state.without.includes(key)}
                      aria-label={t('Preview Without This Rule: {0}', text)}
                      title={t('Preview Without This Rule')}
                      onClick={() => toggleRule(key)}
                    >
                      <span class="codicon codicon-eye-closed" aria-hidden="true" />
                    </button>
                  </>
                ) : (
                  <span>{t('{0} (not saved)', text)}</span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
