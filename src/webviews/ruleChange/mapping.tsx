import type { ChangeView, FromRuleChange, ShownMapping, ToRuleChange } from '../../protocol/ruleChange.ts';
import type { Host } from '../shared/host.ts';
import { t } from '../shared/t.ts';

interface MappingProps {
  readonly view: ChangeView;
  readonly mapping: readonly ShownMapping[];
  readonly host: Host<ToRuleChange, FromRuleChange>;
  readonly isFixed: boolean;
}

/** Which column of the target stands for each column with rules; those without one come first. */
export function Mapping({ view, mapping, host, isFixed }: MappingProps) {
  const lines = mapping.toSorted((a, b) => Number(a.to !== '') - Number(b.to !== ''));
  return (
    <section aria-labelledby="mapping">
      <h2 id="mapping">{t('Columns')}</h2>
      {view.blocks === undefined ? null : (
        <label class="rewrite">
          <input
            type="checkbox"
            disabled={isFixed}
            checked={view.blocks.isRewritten}
            onChange={({ currentTarget }) => host.post({ type: 'rewrite', isWanted: currentTarget.checked })}
          />
          <span>
            {view.blocks.rules === 1
              ? t(
                  'One rule hides values, which a live datamodel cannot: list all other values that the rules name instead. Values that come later stay hidden.',
                )
              : t(
                  '{0} rules hide values, which a live datamodel cannot: list all other values that the rules name instead. Values that come later stay hidden.',
                  view.blocks.rules,
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
          {lines.map(({ key, from, to, rules, by }) => (
            <tr key={key} class={to === '' ? 'lost' : ''}>
              <th scope="row">{from}</th>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-label={t('Column for {0}: {1}', from, to === '' ? t('not copied') : to)}
                  disabled={isFixed}
                  onClick={() => host.post({ type: 'map', key })}
                >
                  {to === '' ? t('not copied') : to}
                </button>
                {by === 'case' ? <span class="muted"> {t('other capitals')}</span> : null}
              </td>
              <td class="number">{rules}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
