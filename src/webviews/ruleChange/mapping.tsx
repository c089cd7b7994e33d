import type { ChangeView, FromRuleChange, ColumnMappingView, ToRuleChange } from '../protocol/ruleChange.ts';
import type { PageHost } from '../shared/host.ts';
import { t } from '../shared/t.ts';

interface MappingProps {
  readonly view: ChangeView;
  readonly mapping: readonly ColumnMappingView[];
  readonly host: PageHost<ToRuleChange, FromRuleChange>;
  /** Displays a choice immediately, and posts it to the host. */
  readonly applyChoice: (choice: Partial<ChangeView>, message: FromRuleChange) => void;
  readonly isLocked: boolean;
}

/** The mapping of source columns to columns of the target; unmapped ones come first. */
export function Mapping({ view, mapping, host, applyChoice, isLocked }: MappingProps) {
  const { exclusionRules } = view;
  const sortedMapping = mapping.toSorted(
    (a, b) => Number(a.targetColumn !== '') - Number(b.targetColumn !== ''),
  );
  return (
    <section aria-labelledby="mapping">
      <h2 id="mapping">{t('Columns')}</h2>
      {exclusionRules === undefined ? null : (
        <label class="rewrite">
          <input
            type="checkbox"
            disabled={isLocked}
            checked={exclusionRules.isRewritten}
            onChange={({ currentTarget: { checked } }) =>
              applyChoice(
                { exclusionRules: { ...exclusionRules, isRewritten: checked } },
                { type: 'rewrite', rewritesExclusions: checked },
              )
            }
          />
          <span>
            {exclusionRules.count === 1
              ? t(
                  "Replace the rule that excludes values with a list of all other values that occur in the rules. Some servers don't support such rules for live datamodels. New values will be hidden.",
                )
              : t(
                  "Replace {0} rules that exclude values with lists of all other values that occur in the rules. Some servers don't support such rules for live datamodels. New values will be hidden.",
                  exclusionRules.count,
                )}
          </span>
        </label>
      )}
      <table class="mapping">
        <thead>
          <tr>
            <th scope="col">{t('From')}</th>
            <th scope="col">{t('To')}</th>
            <th scope="col" class="number">
              {t('Rules')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sortedMapping.map(({ key, sourceColumn, targetColumn, ruleCount, matchedBy }) => (
            <tr key={key} class={targetColumn === '' ? 'lost' : ''}>
              <th scope="row">{sourceColumn}</th>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-label={t(
                    'Column for {0}: {1}',
                    sourceColumn,
                    targetColumn === '' ? t('not copied') : targetColumn,
                  )}
                  disabled={isLocked}
                  onClick={() => host.post({ type: 'map', key })}
                >
                  {targetColumn === '' ? t('not copied') : targetColumn}
                </button>
                {matchedBy === 'case' ? <span class="muted"> {t('different letter case')}</span> : null}
              </td>
              <td class="number">{ruleCount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
