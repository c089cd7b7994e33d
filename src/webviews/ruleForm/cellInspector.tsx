import type { JSX } from 'preact';
import { getFormPartyKey } from '../../security/form/readRuleFields.ts';
import { Button, Icon, IconButton } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { toCellKey, type RuleFormModel } from './ruleFormModel.ts';
import { RuleFieldsForm } from './ruleFields.tsx';

/** The rules of the selected cell, or a button to add one. */
export function CellInspector({ form }: { readonly form: RuleFormModel }): JSX.Element {
  const cell = form.selectedCell.value;
  const { parties, columns, rules } = form.matrix.value;
  const party = parties.find((candidate) => getFormPartyKey(candidate) === cell?.party);
  const column = columns.find(({ key }) => key === cell?.column);
  if (cell === undefined || party === undefined || column === undefined) {
    return (
      <aside class="inspector" aria-label={t('Rule')}>
        <div class="empty">
          <p>{t('Select a cell to view and edit its rule.')}</p>
        </div>
      </aside>
    );
  }
  const ruleIndexes = rules.get(toCellKey(cell)) ?? [];
  const isLocked = form.page.isLocked.value;
  return (
    <aside class="inspector" aria-label={t('Rule')}>
      <div class="inspector-head">
        <h2 class="text">{t('{0} on {1}', form.getPartyName(party), column.column)}</h2>
        {ruleIndexes.length === 0 ? null : (
          <IconButton
            icon="trash"
            label={ruleIndexes.length === 1 ? t('Remove Rule') : t('Remove {0} Rules', ruleIndexes.length)}
            disabled={isLocked}
            onClick={() => form.page.edit({ kind: 'removeRules', rules: ruleIndexes })}
          />
        )}
      </div>
      <div class="inspector-body">
        {ruleIndexes.length === 0 ? (
          <div class="no-rule">
            <p class="muted">
              {party.type === 'default'
                ? t('No rule for everyone else. What they see in this column is undefined.')
                : t('No rule for this user or group on this column. The rule for everyone else applies.')}
            </p>
            <Button
              label={t('Add Rule')}
              icon="add"
              isPrimary
              disabled={isLocked}
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
        {ruleIndexes.map((ruleIndex) => {
          const otherParties = (form.rules.value[ruleIndex]?.parties ?? []).filter(
            (otherParty) => getFormPartyKey(otherParty) !== getFormPartyKey(party),
          );
          return (
            <div key={ruleIndex}>
              {otherParties.length === 0 ? null : (
                <div class="shared-rule">
                  <Icon name="info" className="information" />
                  <span>
                    {t(
                      'This rule also applies to {0}.',
                      otherParties.map((otherParty) => form.getPartyName(otherParty)).join(', '),
                    )}
                  </span>
                  <button
                    type="button"
                    class="link"
                    disabled={isLocked}
                    onClick={() =>
                      form.page.edit({
                        kind: 'splitRule',
                        rule: ruleIndex,
                        party: { type: party.type, id: party.id },
                      })
                    }
                  >
                    {t('Split into Separate Rule')}
                  </button>
                </div>
              )}
              <RuleFieldsForm form={form} ruleIndex={ruleIndex} />
            </div>
          );
        })}
      </div>
    </aside>
  );
}
