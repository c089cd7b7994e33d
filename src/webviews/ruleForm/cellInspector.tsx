import type { JSX } from 'preact';
import { getFormPartyKey } from '../../security/form/readRuleFields.ts';
import { Button, Icon, IconButton } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { toCellKey, type RuleForm } from './ruleForm.ts';
import { RuleFieldsForm } from './ruleFields.tsx';

/** The rules of the selected cell, or a button to add one. */
export function CellInspector({ form }: { readonly form: RuleForm }): JSX.Element {
  const cell = form.cell.value;
  const { parties, columns, rules } = form.matrix.value;
  const party = parties.find((one) => getFormPartyKey(one) === cell?.party);
  const column = columns.find(({ key }) => key === cell?.column);
  if (cell === undefined || party === undefined || column === undefined) {
    return (
      <aside class="inspector" aria-label={t('Rule')}>
        <div class="empty">
          <p>{t('Choose a cell to see and change its rule.')}</p>
        </div>
      </aside>
    );
  }
  const places = rules.get(toCellKey(cell)) ?? [];
  const isFixed = form.page.isLocked.value;
  return (
    <aside class="inspector" aria-label={t('Rule')}>
      <div class="inspector-head">
        <h2 class="text">{t('{0} on {1}', form.getPartyName(party), column.column)}</h2>
        {places.length === 0 ? null : (
          <IconButton
            icon="trash"
            label={places.length === 1 ? t('Remove Rule') : t('Remove {0} Rules', places.length)}
            disabled={isFixed}
            onClick={() => form.page.edit({ kind: 'removeRules', rules: places })}
          />
        )}
      </div>
      <div class="inspector-body">
        {places.length === 0 ? (
          <div class="no-rule">
            <p class="muted">
              {party.type === 'default'
                ? t('There is no rule for everyone else: what they see of this column is not defined.')
                : t('No rule of this column names this party: the rule for everyone else holds.')}
            </p>
            <Button
              label={t('Add Rule')}
              icon="add"
              isPrimary
              disabled={isFixed}
              onClick={() =>
                form.page.askHost({
                  kind: 'newRule',
                  table: column.table,
                  column: column.column,
                  party: { type: party.type, id: party.id },
                })
              }
            />
          </div>
        ) : null}
        {places.map((place) => {
          const others = (form.rules.value[place]?.parties ?? []).filter(
            (one) => getFormPartyKey(one) !== getFormPartyKey(party),
          );
          return (
            <div key={place}>
              {others.length === 0 ? null : (
                <div class="shared-rule">
                  <Icon name="info" kind="information" />
                  <span>
                    {t('This rule is also for {0}.', others.map((one) => form.getPartyName(one)).join(', '))}
                  </span>
                  <button
                    type="button"
                    class="link"
                    disabled={isFixed}
                    onClick={() =>
                      form.page.edit({
                        kind: 'splitRule',
                        rule: place,
                        party: { type: party.type, id: party.id },
                      })
                    }
                  >
                    {t('Make It a Rule of Its Own')}
                  </button>
                </div>
              )}
              <RuleFieldsForm form={form} place={place} />
            </div>
          );
        })}
      </div>
    </aside>
  );
}
